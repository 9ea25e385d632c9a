import { longHeaders, type Place, policyOfLines, type Software, statuses } from './software.ts';

const answers = statuses.map((status) => `respond /${status}/* ${status === 204 ? '' : '"ok"'} ${status}`).join('\n    ');

const site = ({ folder, python }: Place): string => `
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
    ${answers}
`;

const config = (place: Place): string => `
{
  admin off
  auto_https off
  storage file_system ${place.folder}/storage
  servers {
    timeouts {
      idle 1s
    }
  }
}
http://localhost:${place.http} {
  bind 127.0.0.1
  ${site(place)}
}
https://localhost:${place.https} {
  bind 127.0.0.1
  tls ${place.chain} ${place.key}
  ${site(place)}
}
`;

export const caddy: Software = {
  name: 'Caddy',
  files: (place) => ({ Caddyfile: config(place) }),
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
