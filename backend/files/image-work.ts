// The image library, loaded where it is first used: in a process that draws, and in no other.
export async function loadSharp() {
  return (await import('./image-library.ts')).sharp
}
