import { describe, expect, test } from '@jest/globals';
import { awsRegions, type Region, regions } from '../../shared/core/config.ts';
import { fullContext, sharedContext } from './contexts.ts';
import { synthesize } from './synthesize.ts';

/** Returns a template's text without the region's own names. */
const neutral = (context: Readonly<Record<string, unknown>>, region: Region): Record<string, Record<string, unknown>> =>
  JSON.parse(
    JSON.stringify(synthesize(context).templates[region].toJSON())
      .replaceAll(awsRegions[region], '<aws-region>')
      .replaceAll(`BakeryCommerce-${region}`, '<stack>')
      .replaceAll(`${region}.api.example.com`, '<host>')
      .replaceAll(`region ${region}`, '<region>')
      .replaceAll(`bakery-commerce.${region}`, '<source>')
      .replaceAll(`"SERVICE_REGION":"${region}"`, '"SERVICE_REGION":"<region>"')
      // The library puts the stack's name and hashes of it into these logical ids.
      .replaceAll(/ApiPermissionApiScoped\w+/g, 'ApiPermission')
      // A version's id ends with a digest of the function.
      .replaceAll(/(CurrentVersion[0-9A-F]{8})\w{32}/g, '$1'),
  );

describe.each([
  ['nothing', {}],
  ['everything', sharedContext],
])('the regions with %s configured', (_name, context) => {
  test.each(['au', 'eu'] as const)('%s equals us, except for values that name the region', (region) => {
    const [here, us] = [neutral(context, region), neutral(context, 'us')];
    expect(Object.keys(here)).toEqual(Object.keys(us));
    for (const [section, theirs] of Object.entries(us)) {
      const mine = here[section] ?? {};
      expect(Object.keys(mine)).toEqual(Object.keys(theirs));
      for (const id of Object.keys(theirs)) expect([id, mine[id]]).toEqual([id, theirs[id]]);
    }
  });
});

test('no region refers to another region or its exports, but to its own edge', () => {
  for (const region of regions) {
    const edge = `{"Fn::GetStackOutput":{"StackName":"BakeryCommerce-${region}-edge"`;
    const text = JSON.stringify(synthesize(fullContext).templates[region].toJSON()).replaceAll(edge, '');
    expect(text).not.toMatch(/Fn::ImportValue|Fn::GetStackOutput|CrossRegion|"Export"/);
    for (const other of regions.filter((one) => one !== region)) expect(text).not.toContain(`BakeryCommerce-${other}`);
  }
});

test('a setting of one region changes only its stack', () => {
  const one = Object.fromEntries(Object.entries(fullContext).filter(([key]) => key.endsWith('.eu')));
  const { templates } = synthesize(one);
  for (const region of ['us', 'au'] as const) expect(templates[region].toJSON()).toEqual(synthesize().templates[region].toJSON());
  templates.eu.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'eu.bakery.example.eu' });
});
