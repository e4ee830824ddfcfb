// The sample firmware of an emulated Raspberry Pi Pico: greets, echoes each line in upper case, and
// knows a few words. It brings its own vector table, so that it starts without the boot ROM; a real
// Pico would need the boot ROM's second stage before it.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define UART0_DR REGISTER(0x40034000)
#define UART0_FR REGISTER(0x40034018)
#define UART0_IBRD REGISTER(0x40034024)
#define UART0_FBRD REGISTER(0x40034028)
#define UART0_LCR_H REGISTER(0x4003402c)
#define UART0_CR REGISTER(0x40034030)
#define UART0_IMSC REGISTER(0x40034038)
#define NVIC_ISER REGISTER(0xe000e100)
#define UART0_IRQ 20
#define LONGEST_LINE 120
#define RING 128

static volatile uint8_t ring[RING];
static volatile uint32_t head, tail;

static void start(void);
static void halt(void);
static void on_uart(void);

__attribute__((section(".vectors"), used)) static void (*const vectors[16 + 26])(void) = {
	[0] = (void (*)(void))0x20040000,
	[1] = start,
	[2] = halt,
	[3] = halt,
	[16 + UART0_IRQ] = on_uart,
};

static void halt(void) {
	for (;;) __asm volatile("wfi");
}

static void on_uart(void) {
	while (!(UART0_FR & (1 << 4))) {
		uint8_t byte = UART0_DR;
		uint32_t next = (head + 1) % RING;
		if (next == tail) continue;
		ring[head] = byte;
		head = next;
	}
}

static void send_text(const char *text) {
	for (; *text; text++) {
		while (UART0_FR & (1 << 5)) {
		}
		UART0_DR = *text;
	}
}

static char receive(void) {
	// Unlike WFI, WFE returns at once if the interrupt came between the check and the instruction.
	while (head == tail) __asm volatile("wfe");
	char byte = ring[tail];
	tail = (tail + 1) % RING;
	return byte;
}

static int equal(const char *one, const char *other) {
	for (; *one && *one == *other; one++) other++;
	return *one == *other;
}

static void reply(char *line) {
	if (equal(line, "help")) {
		send_text("Commands: help, pass, fail. Every other line comes back in upper case.\r\n");
	} else if (equal(line, "pass")) {
		send_text("PASS\r\n");
	} else if (equal(line, "fail")) {
		send_text("FAIL\r\n");
	} else {
		for (char *byte = line; *byte; byte++) {
			if (*byte >= 'a' && *byte <= 'z') *byte -= 32;
		}
		send_text(line);
		send_text("\r\n");
	}
}

static void start(void) {
	// Nothing has cleared the memory of the two counters.
	head = tail = 0;
	// 115,200 baud at 125 MHz, 8 bits, with FIFOs, interrupt on received bytes.
	UART0_IBRD = 67;
	UART0_FBRD = 52;
	UART0_LCR_H = (3 << 5) | (1 << 4);
	UART0_IMSC = 1 << 4;
	UART0_CR = (1 << 9) | (1 << 8) | 1;
	NVIC_ISER = 1 << UART0_IRQ;
	send_text("Hello from Raspberry Pi Pico\r\n");
	char line[LONGEST_LINE + 1];
	for (uint32_t length = 0;;) {
		char byte = receive();
		if (byte != '\r' && byte != '\n') {
			if (length < LONGEST_LINE) line[length++] = byte;
		} else if (length > 0) {
			line[length] = 0;
			reply(line);
			length = 0;
		}
	}
}
