// The only file that imports ky. It names the one export that is needed, so that bundlers leave out the others.
export { default as ky } from 'ky';
