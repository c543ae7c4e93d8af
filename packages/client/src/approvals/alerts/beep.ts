let context: AudioContext | undefined

/** Two short, soft tones. Silent where the browser allows none before the first click. */
export function beep(): void {
  try {
    context ??= new AudioContext()
    const { currentTime, destination } = context
    void context.resume()
    const volume = context.createGain()
    volume.gain.setValueAtTime(0, currentTime)
    volume.gain.linearRampToValueAtTime(0.08, currentTime + 0.02)
    volume.gain.linearRampToValueAtTime(0, currentTime + 0.35)
    volume.connect(destination)
    const tone = context.createOscillator()
    tone.frequency.setValueAtTime(660, currentTime)
    tone.frequency.setValueAtTime(880, currentTime + 0.15)
    tone.connect(volume)
    tone.start(currentTime)
    tone.stop(currentTime + 0.36)
  } catch {
    // No sound device.
  }
}
