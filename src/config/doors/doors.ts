/** Every kind of door that a configuration can name. */

import type { DoorKind } from "../door.ts";
import { aioDoor } from "./aio.ts";
import { moduleDoor } from "./module.ts";
import { sqliteDoor } from "./sqlite.ts";

export const doorKinds: readonly DoorKind[] = [moduleDoor, sqliteDoor, aioDoor];
