// Firmware for tests of the debugger: prints how often it has counted, between delays.
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

volatile uint32_t count = 41;
volatile uint8_t ticks;
const char greeting[] = "hello";

ISR(TIMER0_OVF_vect) {
	ticks++;
}

static void send(char byte) {
	while (!(UCSR0A & (1 << UDRE0))) {
	}
	UDR0 = byte;
}

__attribute__((noinline)) uint32_t add(uint32_t one, uint32_t other) {
	uint32_t sum = one + other;
	return sum;
}

int main(void) {
	UBRR0 = 16;
	UCSR0A = 1 << U2X0;
	UCSR0B = 1 << TXEN0;
	// An interrupt every 128 microseconds, in which steps must not end.
	TCCR0B = 1 << CS01;
	TIMSK0 = 1 << TOIE0;
	sei();
	for (;;) {
		count = add(count, 1);
		_delay_ms(5);
		send('0' + count % 10);
	}
}
