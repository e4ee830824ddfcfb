// Uses the pins of an emulated Raspberry Pi Pico: blinks its LED, copies the button on GP15 to GP14, and the
// voltage on GP26 to the pulses of GP16. Prints both as `name:value`, five times a second, and sleeps in between.
// Starts without the boot ROM, as the sample firmware does.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define FUNCTION(pin) REGISTER(0x40014004 + 8 * (pin))
#define PAD(pin) REGISTER(0x4001c004 + 4 * (pin))
#define SIO_IN REGISTER(0xd0000004)
#define SIO_SET REGISTER(0xd0000014)
#define SIO_CLEAR REGISTER(0xd0000018)
#define SIO_TOGGLE REGISTER(0xd000001c)
#define SIO_ENABLE REGISTER(0xd0000024)
#define ADC_CONTROL REGISTER(0x4004c000)
#define ADC_RESULT REGISTER(0x4004c004)
#define PWM0_CONTROL REGISTER(0x40050000)
#define PWM0_DIVIDER REGISTER(0x40050004)
#define PWM0_LEVEL REGISTER(0x4005000c)
#define PWM0_TOP REGISTER(0x40050010)
#define TIMER_ALARM REGISTER(0x40054010)
#define TIMER_NOW REGISTER(0x40054028)
#define TIMER_RAISED REGISTER(0x40054034)
#define TIMER_ENABLE REGISTER(0x40054038)
#define UART0_DR REGISTER(0x40034000)
#define UART0_FR REGISTER(0x40034018)
#define UART0_IBRD REGISTER(0x40034024)
#define UART0_FBRD REGISTER(0x40034028)
#define UART0_LCR_H REGISTER(0x4003402c)
#define UART0_CR REGISTER(0x40034030)
#define NVIC_ISER REGISTER(0xe000e100)
#define TIMER_IRQ 0
#define TICK 50000
#define PWM 4
#define SIO 5
#define BUTTON 15
#define COPY 14
#define PULSES 16
#define LED 25

static void start(void);
static void halt(void);
static void on_timer(void);

__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 26])(void) = {
	[0] = (void (*)(void))0x20040000,
	[1] = start,
	[2] = halt,
	[3] = halt,
	[16 + TIMER_IRQ] = on_timer,
};

static void halt(void) {
	for (;;) __asm volatile("wfi");
}

static void on_timer(void) {
	TIMER_RAISED = 1;
	TIMER_ALARM = TIMER_NOW + TICK;
}

static void send(char byte) {
	while (UART0_FR & (1 << 5)) {
	}
	UART0_DR = byte;
}

static void send_value(const char *name, uint32_t value) {
	for (; *name; name++) send(*name);
	// The chip cannot divide, and nothing is linked here that can.
	static const uint32_t units[] = {1000, 100, 10, 1};
	int started = 0;
	for (int place = 0; place < 4; place++) {
		char digit = '0';
		for (; value >= units[place]; value -= units[place]) digit++;
		started |= digit > '0' || place == 3;
		if (started) send(digit);
	}
}

static uint32_t measure(void) {
	ADC_CONTROL = 1 | 1 << 2;
	while (!(ADC_CONTROL & (1 << 8))) {
	}
	return ADC_RESULT;
}

static void start(void) {
	UART0_IBRD = 67; // 115,200 baud at 125 MHz
	UART0_FBRD = 52;
	UART0_LCR_H = (3 << 5) | (1 << 4);
	UART0_CR = (1 << 8) | 1;
	FUNCTION(LED) = FUNCTION(COPY) = FUNCTION(BUTTON) = SIO;
	FUNCTION(PULSES) = PWM;
	PAD(BUTTON) = 1 << 6 | 1 << 3 | 1 << 1; // an input with a pull-up
	SIO_ENABLE = 1 << LED | 1 << COPY;
	ADC_CONTROL = 1;
	PWM0_DIVIDER = 61 << 4; // 500 Hz
	PWM0_TOP = 4095;
	PWM0_CONTROL = 1;
	TIMER_ENABLE = 1;
	NVIC_ISER = 1 << TIMER_IRQ;
	TIMER_ALARM = TIMER_NOW + TICK;
	for (uint32_t tick = 0;; tick = tick == 19 ? 0 : tick + 1) {
		__asm volatile("wfi");
		uint32_t pressed = !(SIO_IN & (1 << BUTTON));
		uint32_t voltage = measure();
		if (tick == 0 || tick == 10) SIO_TOGGLE = 1 << LED;
		if (pressed) SIO_SET = 1 << COPY;
		else SIO_CLEAR = 1 << COPY;
		PWM0_LEVEL = voltage;
		if (tick & 3) continue;
		send_value("pot:", voltage);
		send_value(" button:", pressed);
		send('\r');
		send('\n');
	}
}
