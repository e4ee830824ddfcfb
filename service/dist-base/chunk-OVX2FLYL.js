// package.json
var version = '0.1.0';
var engines = {
	node: '>=22.13',
};

export { engines, version };
