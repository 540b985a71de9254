"""Makes every sound of Outwit: standard library only, seeded, 22050 Hz mono 16 bit."""
import math, random, struct, wave, pathlib

RATE = 22050
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
    top = max(abs(v) for v in values) or 1.0
    frames = bytearray()
    for i, v in enumerate(values):
        t = i / RATE
        fade = min(1.0, t / attack, (seconds - t) / release)
        frames += struct.pack("<h", int(32767 * peak * v / top * max(0.0, fade)))
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
save("crash", 0.5, lambda t: rumble(t) * 3 * math.exp(-7 * t) + hiss(t) * math.exp(-16 * t) + tone(62 - 40 * t, t) * math.exp(-8 * t), 0.002, 0.2, 0.5)
save("finish", 0.95, notes((0, 523.25), (0.13, 659.25), (0.26, 783.99), (0.39, 1046.5), (0.39, 783.99), decay=4.5), release=0.25, peak=0.45)
save("tick", 0.045, notes((0, 1500), shape="sine", decay=90), 0.001, 0.02, 0.3)
save("checkpoint", 0.17, notes((0, 880), (0.06, 1174.66), shape="sine", decay=18), peak=0.4)
save("refuse", 0.13, notes((0, 150), (0.02, 120), shape="triangle", decay=20), peak=0.4)
save("start", 0.32, notes((0, 440), (0.15, 880), shape="triangle", decay=9), peak=0.4)
save("capture", 0.6, notes((0, 392), (0.12, 311.13), (0.24, 196), shape="saw", decay=7), release=0.2, peak=0.4)
save("escape", 0.6, notes((0, 392), (0.1, 523.25), (0.2, 698.46), (0.3, 1046.5), shape="sine", decay=7), release=0.2, peak=0.42)
save("bump", 0.09, notes((0, 110), shape="sine", decay=35), peak=0.45)
save("hint", 0.22, notes((0, 1318.5), (0.07, 1760), shape="sine", decay=14), peak=0.35)
