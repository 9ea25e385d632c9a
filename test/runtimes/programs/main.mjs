import * as client from '@bakery-commerce/client';
import prove from './prove.cjs';

process.stdout.write(JSON.stringify(await prove(client, JSON.parse(process.env.SETTINGS))));
