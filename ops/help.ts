import { readFileSync } from 'node:fs';

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

Commands, each with a --help of its own; all but listen take --stack as well:

  listen [--forward URL] [--events A,B]    shows the events of an account as they happen, and forwards them
  tail                                     follows the API's requests of an account
  trigger <event type>                     makes the writes that emit an event
  resend <event id> [--endpoint ID]        delivers an event again
  check                                    proves that a stack works, with an account that it erases`;

/** `npm run tables` writes it: to ask the actions themselves takes five times as long. */
const actions = (): readonly string[] =>
  readFileSync(new URL('actions.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n\n');

/** The whole help, or that of one action where the name is one. */
export const help = (action: string | undefined): string => {
  const all = actions();
  const chosen = all.filter((one) => one.startsWith(`  ${action} (`));
  return `${usage}\n\nActions and the members of their input:\n\n${(chosen.length > 0 ? chosen : all).join('\n\n')}\n`;
};
