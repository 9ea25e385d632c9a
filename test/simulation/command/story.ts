import { short } from '../world/short.ts';
import type { Outcome } from './task.ts';

const mostLines = 120;
const recordId = /\b[a-z]{2,4}_[0-9a-z]{26}\b/g;
const marker = /\b[a-z]+-\d+-\d+\b/g;
/** A fault in a line of the trace. */
const fault = / {2}\[[a-z ]+\]$|^ *[\d:.]+ {2}fault | dies (before|after) | runs out of time| says | never fires/;

/** Returns the names that a broken invariant's findings and the trace share. */
const namesIn = (sentences: readonly string[]): readonly string[] => {
  const text = sentences.join('\n');
  return [...new Set([...(text.match(recordId) ?? []).map(short), ...(text.match(marker) ?? [])])];
};

/**
 * Returns the story: actions of people, faults, and all lines about the names in the broken
 * invariant, with virtual times.
 */
export const storyOf = ({ trace, breach, actions }: Outcome): readonly string[] => {
  const named = namesIn(breach?.sentences ?? []);
  const people = new Set(actions.map((action) => action.split('/')[0]));
  const lines = trace.filter((line) => {
    const [, actor = ''] = line.trim().split(/ {2,}/);
    return people.has(actor) || fault.test(line) || named.some((name) => line.includes(short(name)));
  });
  if (lines.length <= mostLines) return lines;
  const half = mostLines / 2;
  return [...lines.slice(0, half), `             … ${lines.length - mostLines} lines more, with --trace …`, ...lines.slice(-half)];
};
