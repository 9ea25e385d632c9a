import * as client from '@bakery-commerce/client';
import prove from './prove.cjs';

export default {
  async fetch(request) {
    return Response.json(await prove(client, await request.json()));
  },
};
