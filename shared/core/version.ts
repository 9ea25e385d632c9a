/** Version of the service, as in `package.json`. A manifest in a bundle would be larger. */
export const version = '0.4.0';
