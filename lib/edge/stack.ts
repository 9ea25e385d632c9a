import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type App, ArnFormat, CfnOutput, CfnParameter, Duration, Fn, Stack } from 'aws-cdk-lib/core';
import { viewerAddressHeader } from '../../shared/core/config.ts';
import { acknowledge } from '../permissions.ts';
import type { CustomDomain, RegionSettings } from '../regions.ts';
import { createWebAcl } from './web-acl.ts';

/** CloudFront takes web ACLs and certificates of this AWS region only. */
export const edgeAwsRegion = 'us-east-1';

/**
 * Header with which the edge shows its secret to the API's authorizer. CloudFront takes no header
 * that begins with X-Edge-.
 */
export const edgeSecretHeader = 'X-Bakery-Edge';

/** Returns the name of the record that leads to the region past its edge. */
export const originNameOf = ({ hostname }: CustomDomain): string => `origin.${hostname}`;

const edgeStackName = ({ stackName }: Pick<RegionSettings, 'stackName'>): string => `${stackName}-edge`;

/** Returns what the stack of a region reads from the stack of its edge when it is deployed. */
export const edgeOutputs = (settings: Pick<RegionSettings, 'stackName'>) => {
  const output = (name: string) => Fn.getStackOutput(edgeStackName(settings), name, edgeAwsRegion).toString();
  return { distributionDomain: output('DistributionDomain'), secretArn: output('RegionalSecretArn') };
};

export type EdgeOutputs = ReturnType<typeof edgeOutputs>;

/**
 * Creates the stack of a region's edge: the distribution, its web ACL, its certificate and its
 * secret. CloudFront sends the host that the caller used, so the region needs no other domain.
 */
export const createEdgeStack = (app: App, settings: RegionSettings, domain: CustomDomain): Stack => {
  const stack = new Stack(app, edgeStackName(settings), {
    description: `Bakery commerce service, edge of region ${settings.region}`,
    env: { region: edgeAwsRegion, ...(settings.awsAccount !== undefined && { account: settings.awsAccount }) },
  });
  const isAway = settings.awsRegion !== edgeAwsRegion;
  const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId: domain.hostedZoneId, zoneName: domain.hostedZoneName });
  const certificate = new Certificate(stack, 'Certificate', {
    domainName: domain.hostname,
    validation: CertificateValidation.fromDns(zone),
  });
  const secret = new Secret(stack, 'Secret', {
    description: `Sent by the edge of ${settings.stackName} to its origin`,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    // The API reads a copy in its own AWS region, so it works while the region of the edge does not respond.
    ...(isAway && { replicaRegions: [{ region: settings.awsRegion }] }),
  });
  acknowledge(secret, {
    'AwsSolutions-SMG4': 'The distribution gets a new value only by a deployment: docs/runbook.md, Replace the secret of an edge.',
  });
  const rotation = new CfnParameter(stack, 'Rotation', {
    default: '1',
    description: 'Change it after a new value of the secret, so that the distribution gets that value',
  });
  const originRequestPolicy = new OriginRequestPolicy(stack, 'OriginRequests', {
    originRequestPolicyName: stack.stackName,
    headerBehavior: OriginRequestHeaderBehavior.all(viewerAddressHeader),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
    cookieBehavior: OriginRequestCookieBehavior.all(),
  });
  const distribution = new Distribution(stack, 'Distribution', {
    comment: `${settings.stackName}, secret ${rotation.valueAsString}`,
    domainNames: [domain.hostname],
    certificate,
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    httpVersion: HttpVersion.HTTP2_AND_3,
    // A caller with IPv6 has as many addresses as it likes, each with a bucket of its own.
    enableIpv6: false,
    webAclId: createWebAcl(stack),
    defaultBehavior: {
      origin: new HttpOrigin(originNameOf(domain), {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        // CloudFormation reads the value when it creates or changes the distribution.
        customHeaders: { [edgeSecretHeader]: secret.secretValue.unsafeUnwrap() },
        // Longer than API Gateway's limit of 30 s, so that its answer comes first.
        readTimeout: Duration.seconds(35),
      }),
      originRequestPolicy,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      // A redirect would hide that a key was sent in plain text.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      compress: false,
    },
  });
  acknowledge(distribution, {
    'AwsSolutions-CFR1': 'Merchants and shoppers may be in any country.',
    'AwsSolutions-CFR3': 'A log of the distribution would hold addresses of shoppers. The API has its own access log without them.',
  });
  new CfnOutput(stack, 'DistributionDomain', { value: distribution.distributionDomainName });
  new CfnOutput(stack, 'SecretArn', { value: secret.secretArn });
  // A replica has the same ARN, except for the region:
  // https://docs.aws.amazon.com/secretsmanager/latest/userguide/replicate-secrets.html
  const resourceName = Fn.select(6, Fn.split(':', secret.secretArn));
  const replica = { service: 'secretsmanager', region: settings.awsRegion, resource: 'secret', resourceName };
  const regional = isAway ? stack.formatArn({ ...replica, arnFormat: ArnFormat.COLON_RESOURCE_NAME }) : secret.secretArn;
  new CfnOutput(stack, 'RegionalSecretArn', { value: regional });
  return stack;
};
