/** Every kind of door that a configuration can name. */

import type { DoorKind } from "../door.ts";
import { moduleDoor } from "./module.ts";

export const doorKinds: readonly DoorKind[] = [moduleDoor];
