import { longHeaders, policyOfLines, type ServerSetup, type Software, statuses } from './software.ts';

const responses = statuses.map((status) => `respond /${status}/* ${status === 204 ? '' : '"ok"'} ${status}`).join('\n    ');

const site = ({ folder, python }: ServerSetup): string => `
    log {
      output file ${folder}/access.log
    }
    @folded path */folded
    header @folded Content-Security-Policy "${policyOfLines}"
    @long path */long
    ${longHeaders.map(([name, value]) => `header @long ${name} "${value}"`).join('\n    ')}
    @compressed path */compressed
    header @compressed Content-Encoding gzip
    @moved path */moved
    header @moved Location https://shop.example.com/moved
    @forwarded path */old */chunked */gzip */forwarded-folded
    handle @forwarded {
      reverse_proxy 127.0.0.1:${python} {
        transport http {
          keepalive off
        }
      }
    }
    ${responses}
`;

const config = (setup: ServerSetup): string => `
{
  admin off
  auto_https off
  storage file_system ${setup.folder}/storage
  servers {
    timeouts {
      idle 1s
    }
  }
}
http://localhost:${setup.http} {
  bind 127.0.0.1
  ${site(setup)}
}
https://localhost:${setup.https} {
  bind 127.0.0.1
  tls ${setup.chain} ${setup.key}
  ${site(setup)}
}
`;

export const caddy: Software = {
  name: 'Caddy',
  files: (setup) => ({ Caddyfile: config(setup) }),
  command: ({ folder }) => [
    'env',
    [`HOME=${folder}`, `XDG_CONFIG_HOME=${folder}`, `XDG_DATA_HOME=${folder}`, 'caddy', 'run', '--config', `${folder}/Caddyfile`],
  ],
  log: 'access.log',
  habits: {
    plain: {},
    folded: {},
    long: {},
    moved: { statuses: [301] },
    // Says gzip, and sends none.
    compressed: {},
    tls: { port: 'https' },
    old: {},
    chunked: {},
    gzip: {},
    'forwarded-folded': {},
  },
};
