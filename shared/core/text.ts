const tagOrComment = /<!--.*?-->|<[a-z/!?][^>]*>/gis;

/**
 * Removes tags and comments, keeps their text; `5 < 6` is no tag. Stripping may join the halves of a tag that was hidden
 * in another (`<<b>b>`), so it repeats until nothing changes. Slow on long hostile texts: callers bound the length first.
 */
export const stripHtml = (text: string): string => {
  const stripped = text.replace(tagOrComment, '');
  return stripped === text ? text : stripHtml(stripped);
};
