// Where a table stands in the line. Apart from the formats, whose file loads the package.

type Side = 'left' | 'center' | 'right' | 'justify'

export function tableStyles(side: Side): Record<string, string> {
  if (side === 'center') return { marginLeft: 'auto', marginRight: 'auto' }
  return side === 'justify' ? {} : { float: side }
}
