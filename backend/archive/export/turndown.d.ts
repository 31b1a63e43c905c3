// The parts of the packages that are used; their types would be further packages.
type TurndownNode = {
  nodeName: string
  nodeType: number
  textContent: string
  outerHTML: string
  parentNode: TurndownNode | null
  firstChild: TurndownNode | null
  childNodes: ArrayLike<TurndownNode>
  children: ArrayLike<TurndownNode>
  attributes: ArrayLike<{ name: string; value: string }>
  getAttribute(name: string): string | null
  querySelector(selector: string): TurndownNode | null
  querySelectorAll(selector: string): ArrayLike<TurndownNode>
}

declare module 'turndown' {
  type Rule = {
    filter: string | string[] | ((node: TurndownNode) => boolean)
    replacement(content: string, node: TurndownNode): string
  }
  export default class TurndownService {
    constructor(options: Record<string, string | ((content: string, node: TurndownNode) => string)>)
    escape(text: string): string
    use(plugin: (service: TurndownService) => void): this
    addRule(name: string, rule: Rule): this
    turndown(html: string): string
  }
}

declare module '@joplin/turndown-plugin-gfm' {
  import type TurndownService from 'turndown'

  const plugins: { tables(service: TurndownService): void }
  export default plugins
}
