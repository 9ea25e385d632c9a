export type Line = Readonly<Record<string, unknown>>;

/** What happened before an operator asks: log lines in their order, and who caused it. */
export interface Caused {
  /** Lines of the log groups that the query asks; `function` names the function of a line in a shared one. */
  readonly lines: readonly Line[];
  /** Fields that only the culprit's lines have. */
  readonly culprit: Readonly<Record<string, unknown>>;
  /** Further fields of the first row. */
  readonly row?: Readonly<Record<string, unknown>>;
  /** The id that an operator writes in place of an ellipsis. */
  readonly id?: string;
}

/** Causes by the name of the query that finds them. */
export type Causes = Readonly<Record<string, () => Promise<Caused>>>;

/** Returns the lines that the work logs. */
export const linesOf = async ({ log }: { readonly log: Line[] }, work: () => Promise<unknown>): Promise<readonly Line[]> => {
  log.length = 0;
  await work();
  return log.splice(0);
};

export const repeat = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i++) await work();
};
