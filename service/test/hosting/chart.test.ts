// @module-tag long
// The Helm chart: rendered by Go's own template engine, and checked against the fields of Kubernetes.
import { readdir, readFile } from 'node:fs/promises';
import { parse as render } from '@evertdespiegeleer/go-template';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fromJSONSchema } from 'zod';
import { settingsFrom } from '../../../core/src/env.ts';
import { deployFile } from '../support/proxies.ts';
import kubernetes from './kubernetes.json' with { type: 'json' };

const values = parse(await deployFile('chart/values.yaml'));
const about = parse(await deployFile('chart/Chart.yaml'));
const valuesSchema = fromJSONSchema(JSON.parse(await deployFile('chart/values.schema.json')));

const everything = {
	...values,
	imagePullSecrets: ['registry'],
	nodeSelector: { 'kubernetes.io/arch': 'arm64' },
	settings: { SIGNUP: 'invite', CONTACT: 'Say "hello" to lab@example.com' },
	ingress: { ...values.ingress, className: 'nginx' },
	serviceMonitor: { enabled: true, interval: '30s' },
};
const least = {
	...values,
	resources: {},
	ingress: { ...values.ingress, tlsSecretName: '', annotations: {} },
};

/** What Helm would install with these values, by kind. */
async function renderChart(values: object, from = '', to = from) {
	const folder = new URL('../../deploy/chart/templates/', import.meta.url);
	const [labels = '', ...files] = (await readdir(folder)).sort(
		(a, b) => Number(b[0] === '_') - Number(a[0] === '_'),
	);
	const defined = await readFile(new URL(labels, folder), 'utf8');
	const texts = await Promise.all(
		files.map(async (file) => {
			const template = defined + (await readFile(new URL(file, folder), 'utf8')).replace(from, to);
			return render(template, {
				Values: values,
				Release: { Name: 'lab', Service: 'Helm' },
				Chart: { AppVersion: about.appVersion },
			});
		}),
	);
	const manifests = texts.flatMap((text) => parseAllDocuments(text)).map((each) => each.toJS());
	return Object.fromEntries(manifests.filter(Boolean).map((each) => [each.kind, each]));
}

interface Manifest {
	apiVersion: string;
	kind: string;
}

/** Throws for a field that Kubernetes does not know, or of another type. */
function checkManifest(manifest: Manifest) {
	const { kinds, definitions } = kubernetes as {
		kinds: Record<string, string>;
		definitions: object;
	};
	const definition = kinds[`${manifest.apiVersion}/${manifest.kind}`];
	fromJSONSchema({
		$schema: 'http://json-schema.org/draft-07/schema#',
		$ref: `#/definitions/${definition}`,
		definitions,
	} as Parameters<typeof fromJSONSchema>[0]).parse(manifest); // the type of a schema is narrower than JSON
}

describe.each([
	['the shipped values', values],
	['every value', everything],
	['the least values', least],
])('with %s', (_name, chosen) => {
	test('the values are valid', () => {
		expect(valuesSchema.safeParse(chosen).error).toBeUndefined();
	});

	test('each manifest has only fields that Kubernetes knows', async () => {
		const { ServiceMonitor, ...manifests } = await renderChart(chosen);
		expect(Object.keys(manifests).sort()).toEqual([
			'Deployment',
			'Ingress',
			'PodDisruptionBudget',
			'Service',
		]);
		for (const manifest of Object.values(manifests) as Manifest[]) checkManifest(manifest);
		expect(ServiceMonitor !== undefined).toBe(chosen.serviceMonitor.enabled);
	});
});

test.each([
	['readOnlyRootFilesystem', 'readOnlyRootFileSystem'],
	['containerPort: 8787', "containerPort: '8787'"],
	['  selector:', '  selectors:'],
])('a mistake in the deployment is found: %s as %s', async (from, to) => {
	const { Deployment } = await renderChart(values, from, to);
	expect(() => checkManifest(Deployment)).toThrow();
});

test.each([
	['replicas', { replicas: 0 }],
	['a setting that is no text', { settings: { RATE_LIMIT_PER_KEY: 100 } }],
	['an unknown value', { replica: 2 }],
	['an address with a path', { publicUrl: 'https://example.com/v1' }],
])('Helm rejects wrong values: %s', (_name, wrong) => {
	expect(valuesSchema.safeParse({ ...values, ...wrong }).success).toBe(false);
});

test('the labels, the ports and the probes of the manifests belong together', async () => {
	const { Deployment, Service, Ingress, PodDisruptionBudget, ServiceMonitor } =
		await renderChart(everything);
	const { metadata, spec } = Deployment.spec.template;
	const selectors = [Deployment, PodDisruptionBudget, ServiceMonitor].map(
		(each) => each.spec.selector.matchLabels,
	);
	for (const selector of [...selectors, Service.spec.selector]) {
		expect(metadata.labels).toMatchObject(selector);
	}
	expect(Service.metadata.labels).toMatchObject(ServiceMonitor.spec.selector.matchLabels);
	const [container] = spec.containers;
	const [port] = container.ports;
	expect(Service.spec.ports[0].targetPort).toBe(port.name);
	expect(ServiceMonitor.spec.endpoints[0].port).toBe(Service.spec.ports[0].name);
	const { backend } = Ingress.spec.rules[0].http.paths[0];
	expect(backend.service).toEqual({
		name: Service.metadata.name,
		port: { name: Service.spec.ports[0].name },
	});
	const { startupProbe, livenessProbe, readinessProbe } = container;
	const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
	expect(probes).toEqual(
		['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: port.name })),
	);
});

test('the service accepts the variables of a replica', async () => {
	const { Deployment } = await renderChart(everything);
	const [container] = Deployment.spec.template.spec.containers;
	const variables = Object.fromEntries(
		container.env.map(({ name, value }: { name: string; value?: string }) => [name, value]),
	);
	expect(variables.REPLICA_URL).toContain('$(POD_IP)');
	const settings = settingsFrom({
		...variables,
		DATABASE_URL: 'postgres://database/board_access',
		REPLICA_URL: variables.REPLICA_URL.replace('$(POD_IP)', '10.1.2.3'),
	});
	expect(settings).toMatchObject({
		baseUrl: values.publicUrl,
		port: container.ports[0].containerPort,
		trustProxy: true,
		signup: 'invite',
		contact: everything.settings.CONTACT,
		replicaUrl: 'http://10.1.2.3:8787',
	});
	expect(container.securityContext).toEqual({
		allowPrivilegeEscalation: false,
		readOnlyRootFilesystem: true,
		capabilities: { drop: ['ALL'] },
	});
});
