// The parts of the package that are used; its types would be another package.
declare module 'sax' {
  type Parser = {
    line: number
    error: Error | null
    onopentag: (tag: { name: string; attributes: Record<string, string> }) => void
    onattribute: () => void
    onclosetag: (name: string) => void
    ontext: (text: string) => void
    oncdata: (text: string) => void
    onerror: (error: Error) => void
    write(chunk: string): Parser
    close(): Parser
  }
  const sax: { parser(isStrict: boolean, options: { position: boolean }): Parser }
  export default sax
}
