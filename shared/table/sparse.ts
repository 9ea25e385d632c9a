/** What is written again for every index entry: members that most records lack are kept only where they say something. */

/** The members that differ from what they are where nothing was said. */
export const sparse = <Members extends object>(members: Members, unsaid: Partial<Members>): Partial<Members> => {
  const said = Object.entries(members).filter(
    ([name, value]) => !Object.hasOwn(unsaid, name) || JSON.stringify(value) !== JSON.stringify(unsaid[name as keyof Members]),
  );
  return Object.fromEntries(said) as Partial<Members>;
};
