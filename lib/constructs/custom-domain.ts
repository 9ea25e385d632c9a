import { ApiMapping, DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { CustomDomain } from '../regions.ts';
import type { ServiceApi } from './http-api.ts';

/** `{region}.<api-domain>`: certificate, domain, mapping and alias record in an existing hosted zone. */
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
    // The trailing dot keeps the name absolute where the zone is a parent domain.
    recordName: `${hostname}.`,
    target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(domainName.regionalDomainName, domainName.regionalHostedZoneId)),
  });
};
