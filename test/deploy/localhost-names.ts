import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Preloaded into every process of a run (NODE_OPTIONS). Resolves names under `.localhost`, where
 * the emulator serves the APIs, to this machine, as RFC 6761 asks; some system resolvers do not.
 */
const here = (name: unknown): unknown => (typeof name === 'string' && name.endsWith('.localhost') ? '127.0.0.1' : name);

const { lookup } = dns;
dns.lookup = Object.assign((...[name, ...rest]: Parameters<typeof lookup>) => lookup(here(name) as string, ...rest), lookup);
const { lookup: lookupPromised } = dns.promises;
dns.promises.lookup = ((name: string, ...rest: []) => lookupPromised(here(name) as string, ...rest)) as typeof lookupPromised;
syncBuiltinESMExports();
