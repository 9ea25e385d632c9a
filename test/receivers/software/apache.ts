import { longHeaders, type Place, type Software, statuses } from './software.ts';

const modules = '/usr/lib/apache2/modules';
const loaded = [
  ...['mpm_event', 'authz_core', 'alias', 'headers', 'rewrite', 'env', 'setenvif', 'filter', 'deflate', 'ssl'],
  ...['socache_shmcb', 'unique_id', 'proxy', 'proxy_http'],
];
const pages = ['plain', 'long', 'gzip', 'old', 'guarded', 'tls'];

const site = ({ folder }: Place): string => `
  DocumentRoot ${folder}/site
  RewriteEngine On
  ${statuses
    .filter((status) => status !== 200)
    .map((status) => `RewriteRule ^/${status}/ ${status === 301 ? 'https://shop.example.com/moved' : '-'} [R=${status},L]`)
    .join('\n  ')}
`;

const config = (place: Place): string => `
ServerRoot ${place.folder}
ServerName localhost
PidFile ${place.folder}/apache.pid
DefaultRuntimeDir ${place.folder}
ErrorLog ${place.folder}/error.log
${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
LoadModule security2_module ${modules}/mod_security2.so
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
KeepAlive On
KeepAliveTimeout 1
LogFormat "%r %>s" line
CustomLog ${place.folder}/access.log line
Listen 127.0.0.1:${place.http}
Listen 127.0.0.1:${place.https}
Listen 127.0.0.1:${place.other}
<Directory ${place.folder}/site>
  Require all granted
</Directory>
SetEnvIf Request_URI "/gzip$" force-gzip
SetEnvIf Request_URI "/old$" downgrade-1.0 force-response-1.0 nokeepalive
<LocationMatch "/gzip$">
  SetOutputFilter DEFLATE
</LocationMatch>
<LocationMatch "/long$">
  ${longHeaders.map(([name, value]) => `Header always set ${name} "${value}"`).join('\n  ')}
</LocationMatch>
SecRuleEngine Off
<VirtualHost 127.0.0.1:${place.http}>
  ${site(place)}
  ProxyPass /200/chunked http://127.0.0.1:${place.python}/200/old
</VirtualHost>
<VirtualHost 127.0.0.1:${place.https}>
  ${site(place)}
  SSLEngine on
  SSLCertificateFile ${place.chain}
  SSLCertificateKeyFile ${place.key}
</VirtualHost>
# The core rules as Debian installs them, but rejecting instead of only reporting.
Include /etc/modsecurity/modsecurity.conf-recommended
SecAuditEngine Off
SecDataDir ${place.folder}
SecTmpDir ${place.folder}
Include /usr/share/modsecurity-crs/owasp-crs.load
<VirtualHost 127.0.0.1:${place.other}>
  ${site(place)}
  SecRuleEngine On
</VirtualHost>
`;

export const apache: Software = {
  name: 'Apache',
  files: (place) => ({
    'apache.conf': config(place),
    ...Object.fromEntries(pages.map((page) => [`site/200/${page}`, 'ok\n'.repeat(1_000)])),
  }),
  command: ({ folder }) => ['apache2', ['-f', `${folder}/apache.conf`, '-DFOREGROUND']],
  log: 'access.log',
  habits: {
    plain: {},
    long: {},
    gzip: {},
    // HTTP/1.0, and the connection ends.
    old: {},
    chunked: { statuses: [200] },
    tls: { port: 'https' },
    // ModSecurity with the core rule set of OWASP.
    guarded: { port: 'other' },
  },
};
