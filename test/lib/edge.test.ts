import { createRequire } from 'node:module';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { authorizerSource } from '../../lib/edge/authorizer.ts';
import { managedGroups } from '../../lib/edge/web-acl.ts';
import { edgeContext } from './contexts.ts';
import { propertiesOf, resourcesOf, synthesize, templateOf, theOnly } from './synthesize.ts';

const { stacks, templates } = synthesize(edgeContext);
const edge = templateOf(stacks, 'BakeryCommerce-eu-edge');
const region = templates.eu;
const output = (OutputName: string) => ({
  'Fn::GetStackOutput': { StackName: 'BakeryCommerce-eu-edge', Region: 'us-east-1', OutputName },
});
const distribution = theOnly(edge, 'AWS::CloudFront::Distribution')['DistributionConfig'] as Readonly<Record<string, unknown>>;
const record = (name: string) => theOnly(region, 'AWS::Route53::RecordSet', ({ Name }) => Name === name);

test('only a region with `edge` has a stack for it, and the other regions stay as they are', () => {
  expect(Object.keys(stacks).filter((name) => name.endsWith('-edge'))).toEqual(['BakeryCommerce-eu-edge']);
  expect(templates.us.toJSON()).toEqual(synthesize().templates.us.toJSON());
});

describe('the distribution', () => {
  test("the distribution caches nothing, and forwards method, host, headers, query and the caller's address", () => {
    expect(distribution['DefaultCacheBehavior']).toMatchObject({
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      ViewerProtocolPolicy: 'https-only',
    });
    expect(theOnly(edge, 'AWS::CloudFront::OriginRequestPolicy')['OriginRequestPolicyConfig']).toMatchObject({
      HeadersConfig: { HeaderBehavior: 'allViewerAndWhitelistCloudFront', Headers: ['CloudFront-Viewer-Address'] },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      CookiesConfig: { CookieBehavior: 'all' },
    });
  });

  test('the distribution serves the public host and reaches the region through a separate record', () => {
    expect(distribution['Aliases']).toEqual(['eu.api.example.com']);
    expect(distribution['Origins']).toMatchObject([{ DomainName: 'origin.eu.api.example.com' }]);
    expect(record('eu.api.example.com.')['AliasTarget']).toMatchObject({ DNSName: output('DistributionDomain') });
    expect(JSON.stringify(record('origin.eu.api.example.com.')['AliasTarget'])).toContain('RegionalDomainName');
    region.hasOutput('ApiUrl', { Value: 'https://eu.api.example.com' });
  });

  test('the distribution sends a generated secret that no template, bundle or variable contains', () => {
    const [secret] = Object.keys(resourcesOf(edge, 'AWS::SecretsManager::Secret'));
    const value = ['{{resolve:secretsmanager:', { Ref: secret }, ':SecretString:::}}'];
    expect(distribution['Origins']).toMatchObject([
      { OriginCustomHeaders: [{ HeaderName: 'X-Bakery-Edge', HeaderValue: { 'Fn::Join': ['', value] } }] },
    ]);
    expect(propertiesOf(region, 'AWS::Lambda::Function').filter((one) => JSON.stringify(one).includes('resolve:'))).toEqual([]);
  });
});

describe('the web ACL', () => {
  const rules = theOnly(edge, 'AWS::WAFv2::WebACL')['Rules'] as readonly Readonly<Record<string, object>>[];

  test('the web ACL blocks no request because of its body, query, size or missing User-Agent', () => {
    const blocks = Object.values(managedGroups).flatMap((group): readonly string[] => group.blocks);
    expect(blocks.filter((name) => /BODY|QUERY|Size|NoUserAgent/.test(name))).toEqual([]);
  });

  test('the web ACL responds to every block in the form of the API', () => {
    const text = JSON.stringify(rules);
    const blocks = text.match(/"Block":\{"CustomResponse":/g) ?? [];
    expect(blocks).toHaveLength(1 + Object.values(managedGroups).flatMap((group): readonly string[] => group.blocks).length);
    expect(text).not.toContain('"Block":{}');
    const { CustomResponseBodies } = theOnly(edge, 'AWS::WAFv2::WebACL') as { CustomResponseBodies: Record<string, { Content: string }> };
    expect(JSON.parse(CustomResponseBodies['blocked']?.Content ?? '')).toMatchObject({
      error: { type: 'permission_error', code: 'request_blocked' },
    });
    expect(JSON.parse(CustomResponseBodies['limited']?.Content ?? '')).toMatchObject({ error: 'rate_limit_exceeded', retryAfter: 60 });
  });

  test('the web ACL counts requests of each address in a minute', () => {
    expect(rules[0]?.['Statement']).toEqual({
      RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 60, Limit: 6_000 },
    });
  });
});

test('neither the web ACL nor a rule of it stores samples of requests, which would hold API keys', () => {
  const samples = JSON.stringify(theOnly(edge, 'AWS::WAFv2::WebACL')).match(/"SampledRequestsEnabled":\w+/g) ?? [];
  expect(samples).toHaveLength(2 + Object.keys(managedGroups).length);
  expect(new Set(samples)).toEqual(new Set(['"SampledRequestsEnabled":false']));
});

describe("the edge's secret", () => {
  const [secretId] = Object.keys(resourcesOf(edge, 'AWS::SecretsManager::Secret'));
  const handler = theOnly(region, 'AWS::Lambda::Function', ({ FunctionName }) => FunctionName === 'BakeryCommerce-eu-edge-authorizer');

  test('a region outside us-east-1 reads a replica of the secret in its own AWS region', () => {
    expect(theOnly(edge, 'AWS::SecretsManager::Secret')['ReplicaRegions']).toEqual([{ Region: 'eu-west-1' }]);
    const { RegionalSecretArn } = (edge.toJSON() as { Outputs: Record<string, { Value: unknown }> }).Outputs;
    // A replica's ARN differs in the region only.
    const name = { 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: secretId }] }] };
    const parts = ['arn:aws:secretsmanager:eu-west-1:', { Ref: 'AWS::AccountId' }, ':secret:', name];
    expect(RegionalSecretArn?.Value).toEqual({ 'Fn::Join': ['', parts] });
    expect(handler['Environment']).toEqual({ Variables: { SECRET_ARN: output('RegionalSecretArn') } });
  });

  test('a region in us-east-1 reads the secret itself', () => {
    const near = synthesize({ 'apiDomain.us': 'api.example.com', 'hostedZoneId.us': 'Z123', 'edge.us': true }).stacks;
    const template = templateOf(near, 'BakeryCommerce-us-edge');
    expect(theOnly(template, 'AWS::SecretsManager::Secret')['ReplicaRegions']).toBeUndefined();
    const [id] = Object.keys(resourcesOf(template, 'AWS::SecretsManager::Secret'));
    template.hasOutput('RegionalSecretArn', { Value: { Ref: id } });
  });
});

describe('the API behind it', () => {
  test('the API behind an edge has no other address, and rejects every request without the secret', () => {
    expect(theOnly(region, 'AWS::ApiGatewayV2::Api')['DisableExecuteApiEndpoint']).toBe(true);
    const [authorizer] = Object.keys(resourcesOf(region, 'AWS::ApiGatewayV2::Authorizer'));
    for (const route of propertiesOf(region, 'AWS::ApiGatewayV2::Route'))
      expect(route).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: authorizer } });
    expect(theOnly(region, 'AWS::ApiGatewayV2::Authorizer')['IdentitySource']).toEqual(['$request.header.X-Bakery-Edge']);
  });

  test('the API behind an edge rejects callers only once the public record leads to the edge', () => {
    const [alias] = Object.entries(resourcesOf(region, 'AWS::Route53::RecordSet')).filter(
      ([, { Properties }]) => Properties['Name'] === 'eu.api.example.com.',
    );
    for (const { DependsOn } of Object.values(resourcesOf(region, 'AWS::ApiGatewayV2::Route'))) expect(DependsOn).toContain(alias?.[0]);
  });
});

describe('the authorizer', () => {
  type Stored = Readonly<Partial<Record<'AWSCURRENT' | 'AWSPREVIOUS', string>>>;
  let stored: Stored | Error;
  let reads: number;
  let ask: (sent: string | undefined, second: number) => Promise<boolean>;

  beforeEach(() => {
    [stored, reads] = [{ AWSCURRENT: 'now' }, 0];
    const real = createRequire(import.meta.url);
    const client = {
      SecretsManagerClient: class {
        async send({ stage }: { stage: keyof Stored }) {
          reads++;
          if (stored instanceof Error) throw stored;
          if (stored[stage] === undefined) throw Object.assign(new Error('no version'), { name: 'ResourceNotFoundException' });
          return { SecretString: stored[stage] };
        }
      },
      GetSecretValueCommand: class {
        readonly stage: string;
        constructor({ VersionStage }: { VersionStage: string }) {
          this.stage = VersionStage;
        }
      },
    };
    const loaded: { handler?: (event: object) => Promise<{ isAuthorized: boolean }> } = {};
    new Function('require', 'exports', authorizerSource())((name: string) => (name.startsWith('node:') ? real(name) : client), loaded);
    ask = async (sent, second) => {
      const event = { identitySource: sent === undefined ? undefined : [sent], requestContext: { timeEpoch: second * 1_000 } };
      return (await loaded.handler?.(event))?.isAuthorized ?? false;
    };
  });

  test('the authorizer passes the secret, and no other value', async () => {
    expect([await ask('now', 0), await ask('other', 0), await ask('', 0), await ask(undefined, 0)]).toEqual([true, false, false, false]);
  });

  test('the authorizer accepts the new and the previous secret after a rotation, so that no request is lost', async () => {
    expect(await ask('now', 0)).toBe(true);
    stored = { AWSCURRENT: 'next', AWSPREVIOUS: 'now' };
    expect([await ask('next', 1), await ask('now', 1), await ask('other', 1)]).toEqual([true, true, false]);
    stored = { AWSCURRENT: 'third', AWSPREVIOUS: 'next' };
    expect([await ask('now', 120), await ask('next', 120)]).toEqual([false, true]);
  });

  test('the authorizer reads the secret once a second at most, however many values callers guess', async () => {
    for (let guess = 0; guess < 100; guess++) await ask(`guess ${guess}`, 0);
    expect(reads).toBe(2);
  });

  test('the authorizer keeps passing the known secret while Secrets Manager fails, and fails if it knows none', async () => {
    expect(await ask('now', 0)).toBe(true);
    stored = new Error('throttled');
    expect(await ask('now', 60)).toBe(true);
  });

  test('the authorizer fails for a value that it cannot check, because API Gateway would cache a rejection', async () => {
    expect(await ask('now', 0)).toBe(true);
    stored = new Error('throttled');
    await expect(ask('next', 60)).rejects.toThrow('throttled');
  });

  test('the authorizer does not start with an empty secret if Secrets Manager fails', async () => {
    stored = new Error('throttled');
    await expect(ask('', 0)).rejects.toThrow('throttled');
  });
});
