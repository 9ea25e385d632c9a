export const mostTries = 3;
const passing = /throttl|throughputexceeded|requestlimitexceeded|TransactionInProgress/i;

/** Whether the SDK repeats a call that failed with this error. */
const isRepeated = (error: unknown): boolean => {
  const { name, code, $metadata } = error as { name?: string; code?: string; $metadata?: { httpStatusCode?: number } };
  return code === 'ECONNRESET' || passing.test(name ?? '') || ($metadata?.httpStatusCode ?? 0) >= 500;
};

/** Makes a call with the SDK's three tries, without its pauses. */
export const withPromptRetries = async <Result>(send: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (tries === mostTries || !isRepeated(error)) throw error;
    }
  }
};
