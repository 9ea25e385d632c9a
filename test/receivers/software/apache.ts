import { longHeaders, type ServerSetup, type Software, statuses } from './software.ts';

const modules = '/usr/lib/apache2/modules';
const loaded = [
  ...['mpm_event', 'authz_core', 'alias', 'headers', 'rewrite', 'env', 'setenvif', 'filter', 'deflate', 'ssl'],
  ...['socache_shmcb', 'unique_id', 'proxy', 'proxy_http'],
];
const pages = ['plain', 'long', 'gzip', 'old', 'guarded', 'tls'];

const site = ({ folder }: ServerSetup): string => `
  DocumentRoot ${folder}/site
  RewriteEngine On
  ${statuses
    .filter((status) => status !== 200)
    .map((status) => `RewriteRule ^/${status}/ ${status === 301 ? 'https://shop.example.com/moved' : '-'} [R=${status},L]`)
    .join('\n  ')}
`;

const config = (setup: ServerSetup): string => `
ServerRoot ${setup.folder}
ServerName localhost
PidFile ${setup.folder}/apache.pid
DefaultRuntimeDir ${setup.folder}
ErrorLog ${setup.folder}/error.log
${loaded.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
LoadModule security2_module ${modules}/mod_security2.so
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
KeepAlive On
KeepAliveTimeout 1
LogFormat "%r %>s" line
CustomLog ${setup.folder}/access.log line
Listen 127.0.0.1:${setup.http}
Listen 127.0.0.1:${setup.https}
Listen 127.0.0.1:${setup.other}
<Directory ${setup.folder}/site>
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
<VirtualHost 127.0.0.1:${setup.http}>
  ${site(setup)}
  ProxyPass /200/chunked http://127.0.0.1:${setup.python}/200/old
</VirtualHost>
<VirtualHost 127.0.0.1:${setup.https}>
  ${site(setup)}
  SSLEngine on
  SSLCertificateFile ${setup.chain}
  SSLCertificateKeyFile ${setup.key}
</VirtualHost>
# The core rules as Debian installs them, but rejecting instead of only reporting.
Include /etc/modsecurity/modsecurity.conf-recommended
SecAuditEngine Off
SecDataDir ${setup.folder}
SecTmpDir ${setup.folder}
Include /usr/share/modsecurity-crs/owasp-crs.load
<VirtualHost 127.0.0.1:${setup.other}>
  ${site(setup)}
  SecRuleEngine On
</VirtualHost>
`;

export const apache: Software = {
  name: 'Apache',
  files: (setup) => ({
    'apache.conf': config(setup),
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
