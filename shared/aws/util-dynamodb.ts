/** In the place of `@aws-sdk/util-dynamodb`. */
export { unmarshallMap as unmarshall } from './attribute-values.ts';
