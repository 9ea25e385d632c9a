/** Makes of a reading of many one of each: what is asked for before the event loop's next turn is read in one call. */
export const gather = <Wanted, Found>(
  readAll: (wanted: readonly Wanted[]) => Promise<readonly Found[]>,
): ((wanted: Wanted) => Promise<Found>) => {
  let asked: { readonly wanted: Wanted; readonly answer: PromiseWithResolvers<Found> }[] = [];
  const readAsked = async (): Promise<void> => {
    const batch = asked;
    asked = [];
    try {
      const found = await readAll(batch.map(({ wanted }) => wanted));
      batch.forEach(({ answer }, i) => {
        answer.resolve(found[i] as Found);
      });
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  };
  return (wanted) => {
    if (asked.length === 0) setImmediate(readAsked);
    const answer = Promise.withResolvers<Found>();
    asked.push({ wanted, answer });
    return answer.promise;
  };
};
