"""Makes every sound of Outwit: standard library only, seeded, 22050 Hz mono 16 bit.

None is louder than speech: where it is loudest, a tenth of a second has at most LOUDEST of full scale
(root mean square), which is about -20 dB."""
import math, random, struct, wave, pathlib

RATE = 22050
LOUDEST = 0.1
HERE = pathlib.Path(__file__).parent


def tone(freq, t, shape="sine"):
    phase = (freq * t) % 1.0
    if shape == "square":
        return 0.6 if phase < 0.5 else -0.6
    if shape == "saw":
        return 2 * phase - 1
    if shape == "triangle":
        return 4 * abs(phase - 0.5) - 1
    return math.sin(2 * math.pi * phase)


def save(name, seconds, sample, attack=0.004, release=0.03, peak=0.5):
    count = int(seconds * RATE)
    values = [sample(i / RATE) for i in range(count)]
    for i in range(count):
        t = i / RATE
        values[i] *= max(0.0, min(1.0, t / attack, (seconds - t) / release))
    top = max(abs(v) for v in values) or 1.0
    values = [peak * v / top for v in values]
    window = RATE // 10
    loudest = max(
        math.sqrt(sum(v * v for v in values[start:start + window]) / window)
        for start in range(0, count, window // 4)
    )
    scale = min(1.0, LOUDEST / loudest) if loudest else 1.0
    frames = bytearray()
    for v in values:
        frames += struct.pack("<h", int(32767 * scale * v))
    with wave.open(str(HERE / f"{name}.wav"), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(bytes(frames))


def notes(*steps, shape="triangle", decay=6.0):
    def sample(t):
        return sum(
            tone(f, t - at, shape) * math.exp(-decay * (t - at)) for at, f in steps if t >= at
        )
    return sample


def noise(seed, smooth):
    rng, last = random.Random(seed), 0.0

    def sample(_t):
        nonlocal last
        last += (rng.uniform(-1, 1) - last) * smooth
        return last
    return sample


rumble, hiss = noise(1, 0.08), noise(2, 0.5)
save("engine", 0.26, lambda t: (tone(70 + 60 * t, t, "saw") * 0.6 + tone(140 + 120 * t, t) * 0.5 + rumble(t)) * math.exp(-5 * t), 0.02, 0.12, 0.42)
grit = noise(3, 0.75)


def gravel(t):
    """Stones that hit each other, ever fewer of them."""
    return grit(t) * (0.35 + 0.65 * (noise_step(t, 55) ** 3)) * math.exp(-5 * t)


def noise_step(t, per_second):
    """A random level between 0 and 1 that changes so many times a second."""
    return random.Random(int(t * per_second)).random()


save("crash", 0.55, lambda t: rumble(t) * 2.2 * math.exp(-8 * t) + gravel(t) * 1.2 + tone(62 - 40 * t, t) * math.exp(-9 * t), 0.002, 0.22, 0.5)
save("finish", 0.95, notes((0, 523.25), (0.13, 659.25), (0.26, 783.99), (0.39, 1046.5), (0.39, 783.99), decay=4.5), release=0.25, peak=0.45)
save("tick", 0.045, notes((0, 1500), shape="sine", decay=90), 0.001, 0.02, 0.3)
save("checkpoint", 0.17, notes((0, 880), (0.06, 1174.66), shape="sine", decay=18), peak=0.4)
save("refuse", 0.13, notes((0, 150), (0.02, 120), shape="triangle", decay=20), peak=0.4)
save("start", 0.32, notes((0, 440), (0.15, 880), shape="triangle", decay=9), peak=0.4)
save("capture", 0.6, notes((0, 392), (0.12, 311.13), (0.24, 196), shape="saw", decay=7), release=0.2, peak=0.4)
save("escape", 0.6, notes((0, 392), (0.1, 523.25), (0.2, 698.46), (0.3, 1046.5), shape="sine", decay=7), release=0.2, peak=0.42)
save("bump", 0.09, notes((0, 110), shape="sine", decay=35), peak=0.45)
save("hint", 0.22, notes((0, 1318.5), (0.07, 1760), shape="sine", decay=14), peak=0.35)


def wood(freq, decay):
    """A knock on wood: a few partials that are no harmonics, and a click."""
    click = noise(int(freq), 0.9)

    def sample(t):
        ring = sum(level * tone(freq * ratio, t) * math.exp(-decay * ratio * t)
                   for ratio, level in ((1, 1.0), (2.76, 0.5), (5.4, 0.22)))
        return ring + click(t) * 0.6 * math.exp(-220 * t)
    return sample


def rub(seed, low, high, beat):
    """Something dragged over something rough: noise between two speeds of change, in short catches."""
    slow, fast = noise(seed, low), noise(seed + 1, high)

    def sample(t):
        catch = 0.55 + 0.45 * math.sin(2 * math.pi * beat * t + 2 * noise_step(t, beat))
        return (fast(t) - slow(t)) * catch
    return sample


scrape, scratch, soft = rub(11, 0.12, 0.3, 34), rub(21, 0.45, 0.95, 60), noise(31, 0.12)
save("step", 0.08, lambda t: soft(t) * math.exp(-42 * t) + tone(92, t) * 0.3 * math.exp(-60 * t), 0.006, 0.03, 0.3)
save("scrape", 0.2, lambda t: scrape(t) + tone(84, t, "triangle") * 0.12, 0.02, 0.08, 0.32)
save("seal", 0.26, lambda t: wood(196, 22)(t) + tone(98, t) * 0.7 * math.exp(-20 * t) + (tone(784, t - 0.05) * 0.28 * math.exp(-16 * (t - 0.05)) if t > 0.05 else 0), 0.001, 0.06, 0.45)
save("stone", 0.11, wood(620, 38), 0.0008, 0.03, 0.42)
save("pen", 0.17, lambda t: scratch(t) * math.sin(math.pi * min(1.0, t / 0.17)), 0.01, 0.04, 0.28)
save("whistle", 0.42, lambda t: (tone(2350 + 90 * math.sin(2 * math.pi * 34 * t), t) + 0.12 * soft(t)) * (1 if t < 0.13 or t > 0.18 else 0.15), 0.012, 0.08, 0.3)
save("creak", 0.34, lambda t: tone(175 + 60 * math.sin(9 * t) + 25 * noise_step(t, 40), t, "saw") * (0.4 + 0.6 * noise_step(t, 46)) * math.sin(math.pi * min(1.0, t / 0.34)), 0.03, 0.1, 0.2)
save("lantern", 0.07, lambda t: wood(1900, 60)(t) + (wood(1500, 70)(t - 0.03) * 0.7 if t > 0.03 else 0), 0.0008, 0.02, 0.3)
