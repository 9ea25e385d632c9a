import type { Action } from '../functions/actions/action.ts';
import { actionTable } from '../functions/actions/index.ts';
import { describeInput } from './describe.ts';

const usage = `Usage: npm run --silent ops -- <noun.verb> --region us|au|eu [options]

Runs one dashboard action against the running local service, or against a deployed stack. The result is one JSON
document on stdout; an error is one on stderr, and the exit code is 1.

  --region R       region of the account
  --account ID     the account that the action is about
  --json JSON      the action's input; @FILE reads it from a file, - from standard input
  --token T        of an earlier try whose answer was lost: what it did is not done again, and its answer is shown
  --port N         port of the local service (default 4000)
  --stack [NAME]   a deployed stack instead, with the usual AWS credentials (default name BakeryCommerce-<region>),
                   in the AWS region of AWS_REGION, or that of the service region where it is not set
  --help           this text, or one action's part of it

Two commands are for the local service alone; each has a --help of its own:

  listen [--forward URL] [--events A,B]    shows the events of an account as they happen, and forwards them
  trigger <event type>                     makes the writes that emit an event`;

const width = 118;

/** Words in lines of at most `width` characters, each after the indent. */
const wrap = (words: readonly string[], indent: string): string => {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines.join('\n');
};

const scopeOf: Readonly<Record<Action['account'], string>> = {
  required: '--account',
  self: '--account or id',
  none: 'no account',
};

const describeAction = (name: string, { summary, account, input }: Action): string => {
  const words = describeInput(input).join(', ').split(' ').filter(Boolean);
  return [`  ${name} (${scopeOf[account]})`, `      ${summary}`, ...(words.length > 0 ? [wrap(words, '        ')] : [])].join('\n');
};

/** The whole help, or that of one action where the name is one. */
export const help = (action: string | undefined): string => {
  const chosen = Object.entries(actionTable).filter(([name]) => name === action);
  const shown = chosen.length > 0 ? chosen : Object.entries(actionTable);
  return `${usage}\n\nActions and the members of their input:\n\n${shown.map(([name, one]) => describeAction(name, one)).join('\n\n')}\n`;
};
