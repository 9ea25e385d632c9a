import { deployedServices } from '../../shared/http/services.ts';
import { checkout } from './app.ts';

export const handler = checkout({ ...deployedServices(process.env), allowLoopbackUrls: false });
