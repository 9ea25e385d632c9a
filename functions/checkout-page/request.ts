import { createHash, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Rejection } from '../../shared/core/errors.ts';
import { describeError } from '../../shared/core/log.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { hostedPagePath } from '../../shared/domain/checkout/record.ts';
import { originOf } from '../../shared/http/request.ts';
import { en, type Texts } from './texts/en.ts';

/**
 * A rejection that the shopper reads in their language: `reason` names its text. `status` is the HTTP
 * status. A cause appears only in the log.
 */
export class PageRejection extends Rejection {
  override readonly name = 'PageRejection';
  readonly status: 400 | 403 | 404 | 413 | 503;
  readonly reason: keyof Texts['rejections'];
  readonly logged: Readonly<Record<string, unknown>>;

  constructor(status: PageRejection['status'], reason: PageRejection['reason'], cause?: unknown) {
    super(en.rejections[reason], { cause });
    this.status = status;
    this.reason = reason;
    this.logged = cause === undefined ? {} : { error: describeError(cause) };
  }
}

const idPattern = /^[a-z]+_[0-9a-z]{1,64}$/;
/** Large enough for each field at full length, with twelve bytes per character. */
const maxBodyBytes = 262_144;

/** Whether a text from a request is a valid id. */
export const isId = (text: unknown): text is string => typeof text === 'string' && idPattern.test(text);

/** Returns a path parameter if it is a valid id; otherwise undefined. */
export const idInPath = (event: APIGatewayProxyEventV2, name: string): string | undefined => {
  const id = event.pathParameters?.[name];
  return isId(id) ? id : undefined;
};

/** Returns a path parameter. Throws 404 if it is not a valid id. */
export const pathId = (event: APIGatewayProxyEventV2, name: string): string => {
  const id = idInPath(event, name);
  if (id === undefined) throw new PageRejection(404, 'noPage');
  return id;
};

export const rawBody = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string => {
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  if (Buffer.byteLength(text) > maxBodyBytes) throw new PageRejection(413, 'tooMuch');
  return text;
};

/** The first value of a repeated field counts. */
export const formOf = (event: APIGatewayProxyEventV2): ReadonlyMap<string, string> =>
  new Map([...new URLSearchParams(rawBody(event))].reverse());

export const pageUrl = (event: APIGatewayProxyEventV2, session: Pick<CheckoutSession, 'account' | 'id'>): string =>
  `${originOf(event)}${hostedPagePath(session)}`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Throws 403 if the form was not sent by the page of this session. It checks the origin headers of
 * the browser and the token of the page.
 */
export const assertOwnForm = (event: APIGatewayProxyEventV2, form: ReadonlyMap<string, string>, session: CheckoutSession): void => {
  const { 'sec-fetch-site': site, origin } = event.headers;
  // Pages with no-referrer send the origin "null".
  const isOwnOrigin = site === undefined ? origin === undefined || origin === 'null' || origin === originOf(event) : site === 'same-origin';
  const isOwnToken = timingSafeEqual(digest(form.get('token') ?? ''), digest(session.token));
  if (!isOwnOrigin || !isOwnToken) throw new PageRejection(403, 'foreignForm');
};
