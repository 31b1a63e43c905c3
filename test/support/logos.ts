// Pictures for tests of the blog's logo.

/** An SVG of 32 by 32 around `content`. */
export function svg(content: string, size = '32'): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 32 32" width="${size}" height="${size}">${content}</svg>`
}

export const SQUARE = svg('<path fill="#c00" d="M0 0h32v32H0z"/>')

export function logoForm(picture: string | Buffer, name = 'logo.svg'): FormData {
  const form = new FormData()
  form.append('file', new File([picture as never], name))
  return form
}
