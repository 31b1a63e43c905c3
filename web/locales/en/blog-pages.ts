// English texts. Pages of the blog, such as "About", and the links in the header and the footer.

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six']

export const blogPages = {
  blogPages: {
    notShown: 'Only operators see this page. It gets its address once it is active.',
  },
  adminPages: {
    title: 'Pages',
    lead: 'Written like posts, but without a date, likes, comments or an author. They are not in the list or in feeds.',
    write: 'Write a page',
    none: 'No pages and links yet.',
    inHeader: 'In header',
    inFooter: 'In footer',
    /** Follows the words of a switch, for screen readers. */
    of: (name: string) => `, ${name}`,
    elsewhere: 'link to another site',
    chips: { inactive: 'inactive', hidden: 'hidden' },
    moveUp: 'Move up',
    moveDown: 'Move down',
    moveUpNamed: (name: string) => `Move ${name} up`,
    moveDownNamed: (name: string) => `Move ${name} down`,
    moved: (name: string, place: number, total: number) =>
      `${name} is now ${ORDINALS[place] ?? place + 1} of ${NUMBERS[total] ?? total}`,
    edit: 'Edit',
    editLink: 'Edit the link',
    rule: (count: number, max: number) =>
      `${count} of ${max}. The header, the menu on phones and the footer keep this order. The header holds three. Inactive pages are not shown.`,
    headerFull: 'The header holds three. Switch one off first.',
    full: 'There are six pages and links. Delete one first.',
    deleting: {
      title: (name: string) => `Delete “${name}”?`,
      page: 'Its address and the links to it end. You can bring the page back for 30 days, as a draft.',
      link: 'The link disappears from the header and the footer.',
      confirm: 'Delete',
      done: (name: string) => `“${name}” is deleted.`,
    },
    link: {
      add: 'Add a link',
      edit: 'Edit the link',
      submitNew: 'Add link',
      submit: 'Save',
      name: 'Name',
      nameCount: (count: number, max: number) => `${count} of ${max}`,
      nameMissing: 'Enter a name of up to 24 letters.',
      address: 'Address',
      addressHint: 'It opens in the same window. An arrow marks it as a link to another site.',
      addressWrong: 'Enter an address such as https://example.org/ or a path such as /tag/trains.',
      twice: 'There is a link to this address already.',
    },
  },
}
