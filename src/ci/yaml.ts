// The only file that imports yaml at run time: a CommonJS module has no names when it is bundled and imported later.
export { LineCounter, parseDocument } from 'yaml';
