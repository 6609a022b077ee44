/** Calls a callback of the application from the middle of reading or writing, so that its error can neither stop the reading nor get lost. */

/** What the callback throws is thrown again outside, where Node treats it as the uncaught error it is. */
export function callOut<Value>(callback: (value: Value) => void, value: Value): void {
  try {
    callback(value);
  } catch (thrown) {
    queueMicrotask(() => {
      throw thrown;
    });
  }
}
