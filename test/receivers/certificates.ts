import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../deploy/children.ts';

/** Files of a server's certificate for localhost, and the authority that signed its issuer. */
export interface Certificates {
  readonly authority: string;
  readonly key: string;
  /** The server's certificate, then the certificate of its issuer. */
  readonly chain: string;
  /** Key and chain in one file. */
  readonly both: string;
}

const extensions = `
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
basicConstraints = CA:FALSE
subjectAltName = DNS:localhost
`;

/** Makes certificates as public authorities do: an authority, an issuer and a server. */
export const makeCertificates = async (folder: string): Promise<Certificates> => {
  const openssl = (...args: string[]) => mustRun('openssl', args, { cwd: folder });
  writeFileSync(join(folder, 'extensions.ini'), extensions);
  const request = async (name: string) => {
    await openssl('req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
  };
  const sign = async (name: string, section: string, ...signer: string[]) => {
    await request(name);
    const how = ['-days', '30', '-extfile', 'extensions.ini', '-extensions', section];
    const { stdout } = await openssl('x509', '-req', '-in', `${name}.csr`, ...how, ...signer);
    writeFileSync(join(folder, `${name}.pem`), stdout);
    return stdout;
  };
  await sign('authority', 'authority', '-signkey', 'authority.key');
  const issuer = await sign('issuer', 'authority', '-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial');
  const server = await sign('server', 'server', '-CA', 'issuer.pem', '-CAkey', 'issuer.key', '-CAcreateserial');
  const { stdout: key } = await openssl('rsa', '-in', 'server.key');
  writeFileSync(join(folder, 'chain.pem'), server + issuer);
  writeFileSync(join(folder, 'both.pem'), key + server + issuer);
  const at = (name: string) => join(folder, name);
  return { authority: at('authority.pem'), key: at('server.key'), chain: at('chain.pem'), both: at('both.pem') };
};
