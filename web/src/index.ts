// What the service uses of the web pages.
export { assetRoutes } from './assets.ts';
export { errorPage, wantsPage } from './error-page.tsx';
export { webPages } from './routes.ts';
