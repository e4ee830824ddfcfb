// Firmware for tests of the debugger: prints how often it has counted, between delays.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define UART0_DR REGISTER(0x40034000)
#define UART0_IBRD REGISTER(0x40034024)
#define UART0_LCR_H REGISTER(0x4003402c)
#define UART0_CR REGISTER(0x40034030)
#define SYSTICK_CONTROL REGISTER(0xe000e010)
#define SYSTICK_RELOAD REGISTER(0xe000e014)
#define SYSTICK_VALUE REGISTER(0xe000e018)

volatile uint32_t count;
volatile uint32_t ticks;
const char greeting[] = "hello";

void start(void);
void on_tick(void);

__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
	[0] = (void (*)(void))0x20040000,
	[1] = start,
	[15] = on_tick,
};

void on_tick(void) {
	ticks++;
}

__attribute__((noinline)) uint32_t add(uint32_t one, uint32_t other) {
	uint32_t sum = one + other;
	return sum;
}

void start(void) {
	count = 41;
	ticks = 0;
	UART0_IBRD = 67;
	UART0_LCR_H = 3 << 5;
	UART0_CR = (1 << 9) | (1 << 8) | 1;
	// An interrupt every 128 microseconds, in which steps must not end.
	SYSTICK_RELOAD = 16000;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = 7;
	for (;;) {
		count = add(count, 1);
		for (volatile uint32_t left = 20000; left > 0; left--) __asm volatile("nop");
		UART0_DR = '0' + (count & 7);
	}
}
