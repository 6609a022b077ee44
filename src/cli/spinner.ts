/** A moving sign on a terminal's last line that something is being waited for. */

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const frameMs = 80;
/** What is done sooner shows nothing: a flicker helps nobody. */
const patienceMs = 200;

export interface Spinner extends Disposable {
  /** Changes what is being waited for. */
  say(label: string): void;
  /** Wipes the line, until the next frame. */
  wipe(): void;
}

/** Does nothing: for a pipe, a file and a dumb terminal. */
export const noSpinner: Spinner = { say() {}, wipe() {}, [Symbol.dispose]() {} };

/** Starts one that is drawn with `write`. */
export function startSpinner(
  write: (text: string) => void,
  label: string,
  columns: number,
): Spinner {
  let shown = label;
  let count = 0;
  let isDrawn = false;
  const wipe = (): void => {
    if (isDrawn) write("\r\u001B[K");
    isDrawn = false;
  };
  const draw = (): void => {
    const frame = frames[count++ % frames.length];
    write(`\r\u001B[K${frame} ${shown.slice(0, Math.max(0, columns - 3))}`);
    isDrawn = true;
  };
  let timer = setTimeout(() => {
    draw();
    timer = setInterval(draw, frameMs).unref();
  }, patienceMs).unref();
  return {
    say: (next) => {
      shown = next;
    },
    wipe,
    [Symbol.dispose]: () => {
      clearTimeout(timer); // clears an interval as well
      wipe();
    },
  };
}
