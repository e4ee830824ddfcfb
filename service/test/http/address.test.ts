import { expect, test } from 'vitest';
import { networksAround } from '../../../core/src/limits/counts.ts';
import { networkOf } from '../../src/http/address.ts';

test.each([
	['192.0.2.1', '192.0.2.1'],
	['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
	['2001:DB8:1:2::9', '2001:0db8:0001:0002::/64'],
	['2001:db8::9', '2001:0db8:0000:0000::/64'],
	['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
	['::1', '0000:0000:0000:0000::/64'],
	['::ffff:192.0.2.1', '0000:0000:0000:0000:0000:ffff:c000:0201'],
	['192.0.2.1:1000', '192.0.2.1'],
	['[2001:db8::9]:443', '2001:0db8:0000:0000::/64'],
	['[2001:db8::9]', '2001:0db8:0000:0000::/64'],
	['in-process', 'in-process'],
])('%s is counted as %s', (address, network) => {
	expect(networkOf(address)).toBe(network);
});

test('an IPv6 caller also counts against its larger networks, with higher limits', () => {
	expect(networksAround(networkOf('2001:db8:1:2345::9'))).toEqual([
		{ name: '2001:0db8:0001:2345::/64', room: 1 },
		{ name: '2001:0db8:0001:2300::/56', room: 4 },
		{ name: '2001:0db8:0001::/48', room: 16 },
	]);
	expect(networksAround(networkOf('192.0.2.1'))).toEqual([{ name: '192.0.2.1', room: 1 }]);
});
