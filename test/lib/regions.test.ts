import { describe, expect, test } from '@jest/globals';
import { readRegionSettings } from '../../lib/regions.ts';
import { awsRegions, type Region, regions } from '../../shared/core/regions.ts';
import { fullContext } from './full-context.ts';
import { synthesize } from './synthesize.ts';
import { synthesizeApp } from './synthesize-app.ts';

/** The same for every region, so that nothing differs but what the region itself binds. */
const alike = {
  apiDomain: 'api.example.com',
  hostedZoneId: 'Z123',
  hostedZoneName: 'example.com',
  alarmEmail: 'on-call@example.com',
  ...Object.fromEntries(regions.map((region) => [`alarmTopicArn.${region}`, `arn:aws:sns:${awsRegions[region]}:123456789012:on-call`])),
  ...Object.fromEntries(
    regions.map((region) => [`backupVaultArn.${region}`, `arn:aws:backup:${awsRegions[region]}:210987654321:backup-vault:bakery`]),
  ),
  closeDefaultEndpoint: true,
  logRetentionDays: 90,
  reservedConcurrency: { deliver: 100 },
  batchDeliveries: true,
  deletionProtection: true,
  customerManagedKey: true,
  dashboard: true,
  routeMetrics: true,
  logAddresses: true,
  tracing: true,
};

/** Every logical id and value of a template, with the region's own names taken out. */
const neutral = (context: Readonly<Record<string, unknown>>, region: Region): Record<string, Record<string, unknown>> =>
  JSON.parse(
    JSON.stringify(synthesize(context).templates[region].toJSON())
      .replaceAll(awsRegions[region], '<aws-region>')
      .replaceAll(`BakeryCommerce-${region}`, '<stack>')
      .replaceAll(`${region}.api.example.com`, '<host>')
      .replaceAll(`region ${region}`, '<region>')
      .replaceAll(`"SERVICE_REGION":"${region}"`, '"SERVICE_REGION":"<region>"')
      // The library puts the stack's name and hashes of it into these logical ids.
      .replaceAll(/ApiPermissionApiScoped\w+/g, 'ApiPermission'),
  );

describe.each([
  ['nothing', {}],
  ['everything', alike],
])('with %s configured', (_name, context) => {
  test.each(['au', 'eu'] as const)('%s is us but for values that name the region', (region) => {
    const [here, us] = [neutral(context, region), neutral(context, 'us')];
    expect(Object.keys(here)).toEqual(Object.keys(us));
    for (const [section, theirs] of Object.entries(us)) {
      const mine = here[section] ?? {};
      expect(Object.keys(mine)).toEqual(Object.keys(theirs));
      for (const id of Object.keys(theirs)) expect([id, mine[id]]).toEqual([id, theirs[id]]);
    }
  });
});

test('no region refers to another or to what another exports', () => {
  for (const region of regions) {
    const text = JSON.stringify(synthesize(fullContext).templates[region].toJSON());
    expect(text).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput|CrossRegion|"Export"/);
    for (const other of regions.filter((one) => one !== region)) expect(text).not.toContain(`BakeryCommerce-${other}`);
  }
});

test('what one region configures changes its own stack only', () => {
  const one = Object.fromEntries(Object.entries(fullContext).filter(([key]) => key.endsWith('.eu')));
  const { app, templates } = synthesizeApp(one);
  for (const region of ['us', 'au'] as const) expect(templates[region].toJSON()).toEqual(synthesize().templates[region].toJSON());
  const [, , eu] = readRegionSettings(app.node);
  templates.eu.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: eu?.customDomain?.hostname });
});
