import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, LogGroupClass, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { apiPrefix, type PageRoute, type Route } from '../../shared/core/routes.ts';
import { acknowledge } from '../permissions.ts';
import type { CustomDomain, RegionSettings } from '../regions.ts';

interface Routed<Row> {
  readonly routes: readonly Row[];
  readonly handler: IFunction;
}

export interface ServiceApi {
  readonly api: HttpApi;
  readonly stage: HttpStage;
}

/**
 * Far above 300 reads a minute of one key, far below what would starve the account's other
 * functions. Applies to each route.
 */
const throttle = { rateLimit: 1000, burstLimit: 500 };

/**
 * No path, query, header or address, which may contain identifiers and credentials. A line is paid
 * for by its bytes.
 */
const accessLogFields = {
  rid: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  ms: '$context.responseLatency',
  error: '$context.integrationErrorMessage',
};

/**
 * While `logAddresses` is on. Lines with addresses are kept as short as CloudWatch Logs allows, in
 * a group that goes with the switch.
 */
const accessLogFieldsWithAddress = { ...accessLogFields, ip: '$context.identity.sourceIp' };

/**
 * Preflights reach the group's function: the gateway's own CORS would answer them for every route
 * (§ Authentication 10).
 */
const preflightPaths = (routes: readonly Route[]): string[] => [
  ...new Set(routes.filter(({ keys }) => keys === 'any').map(({ path }) => path)),
];

type StageSettings = Pick<RegionSettings, 'logRetentionDays' | 'routeMetrics' | 'logAddresses' | 'closeDefaultEndpoint'>;

const createAccessLog = (here: Construct, id: string, name: string, retention: number): LogGroup =>
  new LogGroup(here, id, {
    // The vendedlogs prefix needs no growing resource policy for the delivery service.
    logGroupName: `/aws/vendedlogs/${Stack.of(here).stackName}-${name}`,
    // Half the price. No metric is made of these lines, and only queries read them.
    logGroupClass: LogGroupClass.INFREQUENT_ACCESS,
    retention,
    removalPolicy: RemovalPolicy.DESTROY,
  });

const createStage = (here: Construct, api: HttpApi, { logRetentionDays, routeMetrics, logAddresses }: StageSettings): HttpStage => {
  // Always there: its lines stay while the other group takes the new ones.
  const accessLog = createAccessLog(here, 'AccessLogs', 'api', logRetentionDays);
  const destination = logAddresses ? createAccessLog(here, 'AddressLogs', 'api-addresses', RetentionDays.ONE_DAY) : accessLog;
  return new HttpStage(here, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle,
    detailedMetricsEnabled: routeMetrics,
    accessLogSettings: {
      destination: new LogGroupLogDestination(destination),
      format: AccessLogFormat.custom(JSON.stringify(logAddresses ? accessLogFieldsWithAddress : accessLogFields)),
    },
  });
};

/**
 * The HTTP API of a region: one route per row of the groups' and pages' tables, everything else to
 * the fallback.
 */
export const createHttpApi = (
  scope: Construct,
  groups: readonly Routed<Route>[],
  pages: readonly Routed<PageRoute>[],
  fallback: IFunction,
  settings: StageSettings,
): ServiceApi => {
  const here = new Construct(scope, 'Api');
  const api = new HttpApi(here, 'HttpApi', {
    apiName: Stack.of(scope).stackName,
    createDefaultStage: false,
    ...(settings.closeDefaultEndpoint && { disableExecuteApiEndpoint: true }),
  });
  const stage = createStage(here, api, settings);
  const authorizer = new HttpNoneAuthorizer();

  const connect = (handler: IFunction, scopePermissionToRoute: boolean) => {
    const integration = new HttpLambdaIntegration(`${handler.node.scope?.node.id}Integration`, handler, {
      // The gateway's own limit of 30 s stays: the function's is shorter.
      scopePermissionToRoute,
    });
    return (routeKey: HttpRouteKey, id: string) => {
      const route = new HttpRoute(here, id, { httpApi: api, routeKey, integration, authorizer });
      acknowledge(route, {
        'AwsSolutions-APIG4':
          'Keys are checked by the functions: formats, regions, plans and error bodies are the specification’s, which an authorizer cannot answer with.',
      });
    };
  };

  for (const { routes, handler } of groups) {
    // One invoke permission for all routes, or the function's policy outgrows 20 KB as they are
    // added.
    const add = connect(handler, false);
    for (const { method, path } of routes) add(HttpRouteKey.with(`${apiPrefix}${path}`, HttpMethod[method]), `${method} ${path}`);
    for (const path of preflightPaths(routes)) add(HttpRouteKey.with(`${apiPrefix}${path}`, HttpMethod.OPTIONS), `OPTIONS ${path}`);
  }
  for (const { routes, handler } of pages) {
    const add = connect(handler, false);
    for (const { method, path } of routes) add(HttpRouteKey.with(path, HttpMethod[method]), `${method} ${path}`);
  }
  // The default route's ARN is shorter than what the common permission matches.
  connect(fallback, true)(HttpRouteKey.DEFAULT, 'Default');
  return { api, stage };
};

/**
 * `{region}.<api-domain>`: certificate, domain, mapping and alias record in an existing hosted
 * zone.
 */
export const createCustomDomain = (
  scope: Construct,
  { hostname, hostedZoneId, hostedZoneName }: CustomDomain,
  { api, stage }: ServiceApi,
): void => {
  const here = new Construct(scope, 'CustomDomain');
  const zone = HostedZone.fromHostedZoneAttributes(here, 'Zone', { hostedZoneId, zoneName: hostedZoneName });
  const certificate = new Certificate(here, 'Certificate', { domainName: hostname, validation: CertificateValidation.fromDns(zone) });
  const domainName = new DomainName(here, 'DomainName', { domainName: hostname, certificate });
  new ApiMapping(here, 'Mapping', { api, domainName, stage });
  new ARecord(here, 'Alias', {
    zone,
    // The trailing dot keeps the name absolute if the zone is a parent domain.
    recordName: `${hostname}.`,
    target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(domainName.regionalDomainName, domainName.regionalHostedZoneId)),
  });
};
