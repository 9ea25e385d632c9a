import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mustRun, start } from '../deploy/children.ts';
import { pythonTool } from '../deploy/python.ts';
import makeRunFolder from '../support/run-folder.ts';
import { mockAddress } from './mock.ts';

const version = 'v0.203.0';
const folder = fileURLToPath(new URL('../../.local/stripe-mock/', import.meta.url));

/** Installs stripe-mock with the Go of a Python package. Go checks the module's checksum. */
const install = async (): Promise<string> => {
  const GOBIN = `${folder}${version}`;
  const env = { ...process.env, GOBIN, CGO_ENABLED: '0', GOTOOLCHAIN: 'local' };
  await mustRun(await pythonTool('go', 'go'), ['install', `github.com/stripe/stripe-mock@${version}`], { env });
  return `${GOBIN}/stripe-mock`;
};

/** Jest's global setup: starts stripe-mock. The workers inherit its address. */
export default async (): Promise<void> => {
  makeRunFolder();
  const { stdout } = start(await install(), ['-http-addr', '127.0.0.1:0']);
  if (!stdout) throw new Error('stripe-mock has no output.');
  let output = '';
  while (!/HTTP at address: \S+\s/.test(output)) output += String((await once(stdout, 'data'))[0]);
  process.env[mockAddress] = `http://${/HTTP at address: (\S+)/.exec(output)?.[1]}`;
};
