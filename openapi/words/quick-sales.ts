import { quickSale } from '../../shared/domain/quick-sale/wire.ts';
import type { ResourceWords } from './common.ts';

export const quickSales = {
  events: {
    'quick_sale.created': { summary: 'A quick sale was recorded', description: 'A sale without an order.', object: quickSale },
    'quick_sale.updated': { summary: 'A quick sale was saved', description: 'Every save.', object: quickSale },
    'quick_sale.deleted': { summary: 'A quick sale was deleted', description: 'It is not heard of again.', object: quickSale },
  },
} as const satisfies ResourceWords;
