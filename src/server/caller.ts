/** Who asks: from `initialize` for a whole session, or from `_meta` for one stateless request. */

import type { CallerInfo, Revision } from "../protocol/index.ts";

export interface Caller extends CallerInfo {
  readonly revision: Revision;
}
