// What Noor Haddad wrote: a translator between two alphabets. Only data.
import type { SeedPost } from './people.ts'

export const NOOR_POSTS: SeedPost[] = [
  {
    author: 'noor',
    title: 'رسالة إلى نافذة لا تُفتح',
    daysAgo: 3.1,
    scene: 'arches',
    type: 'jpeg',
    likedBy: ['amara', 'tobias', 'pia'],
    content: `<p>في غرفة المكتب نافذةٌ دُهن إطارها مرّاتٍ كثيرة حتى نسيت أنها نافذة. لا تُفتح صيفًا ولا شتاءً، ومع ذلك أجلس أمامها كلّ صباح كأنها ستُفتح اليوم.</p>
<p>من خلفها شجرة تين، وسطحٌ عليه غسيل، ورجلٌ يسقي أصصًا لا أراها. أعرف مواعيده أكثر ممّا أعرف مواعيد أصدقائي. إذا تأخّر قلقت، وإذا بكّر سألت نفسي: ما الذي أيقظه؟</p>
<h2>عن الترجمة</h2>
<p>الترجمة نافذةٌ من هذا النوع. ترى من خلالها كلّ شيء: الضوء، والشجرة، والرجل. لكنّ الرائحة تبقى في الجهة الأخرى.</p>
<blockquote><p>قالت لي جدّتي: الكلمة التي لا تعبر النهر، احملي معناها على كتفك، واتركيها تلوّح لكِ من الضفّة.</p></blockquote>
<ul><li>أكتب الجملة أوّلًا كما هي.</li><li>ثم أكتبها كما كان ينبغي أن تكون.</li><li>ثم أمحو الاثنتين وأكتب ما بينهما.</li></ul>
<p>اليوم مرّ عاملٌ ونظر إلى الإطار، وقال إنّ الأمر لا يحتاج إلا إلى سكّينٍ رفيعة وقليلٍ من الصبر. شكرته، ولم أطلب منه شيئًا. لستُ متأكّدة من أنني أريد أن أشمّ التين كلّ يوم.</p>`,
  },
  {
    author: 'noor',
    title: 'A word I have been unable to translate for nine years',
    daysAgo: 9.4,
    scene: 'library',
    type: 'jpeg',
    likedBy: ['wiebke', 'tobias', 'amara', 'pia', 'noor'],
    content: `<p>The word is <em>samar</em>. The dictionaries give "evening conversation" and leave it at that, as one might give "water" for the sea.</p>
<p>It is talk, and it is at night, and it is sitting. It needs at least two people and no reason. There has to be somewhere to get back to afterwards, and a general unwillingness to go. If anybody looks at the time it is over; it cannot be resumed, only begun again on another night.</p>
<h2>What I have tried</h2>
<ul><li><strong>Night talk.</strong> Sounds like a radio programme for lorry drivers.</li><li><strong>Small hours.</strong> Has the time, has lost the people.</li><li><strong>Company.</strong> Close. But you may have company at noon.</li><li><strong>To sit up with.</strong> Very close. But in English somebody is usually ill.</li></ul>
<p>In the last book I gave up and left the word as it stood. I gave it a lamp, three cups and a dog asleep across the doorway, and trusted the reader to stay for a while. A woman wrote to me from Leeds. "We used to do that," she wrote. "We just never had to call it anything."</p>`,
  },
  {
    author: 'noor',
    title: 'Marginalia, collected',
    daysAgo: 30.8,
    scene: 'library',
    type: 'png',
    likedBy: ['tobias', 'wiebke'],
    content: `<p>I buy second-hand books for what has been written in them by the wrong person. A year's harvest:</p>
<blockquote><p>"No he did NOT." In pencil, beside a sentence about a general. Underlined three times. Never explained.</p></blockquote>
<blockquote><p>"Read this out to M. when she is better." In a book of poems. The page after it is uncut.</p></blockquote>
<blockquote><p>"41, 42, 43." In the margins of a novel about waiting, one number every few pages, up to 118. Stations? Cigarettes? I have worked through the timetables.</p></blockquote>
<p>In a grammar, inside the cover, in a child's round hand: <em>If this book should chance to roam, box its ears and send it home</em>, and an address. I wrote to it. The answer came from a man of seventy-six. He said to box its ears and keep it.</p>`,
  },
  {
    author: 'noor',
    title: 'Coffee in the order in which it is poured',
    daysAgo: 52.5,
    scene: 'table',
    type: 'jpeg',
    likedBy: ['amara'],
    content: `<p>The first cup goes to the guest. The second goes to whoever made the guest laugh. The third goes to the person who has been pretending not to want one, and the maker gets what is left, which is mostly grounds and wholly deserved.</p>
<p>My aunt poured for forty years and never once asked who took sugar. She looked at you in the doorway, how you set down your bag, and she knew. <em>Sweet</em> for bad news. <em>Medium</em> for a visit. <em>Plain</em> for people who had come to say something and had better be awake.</p>
<p>I asked her what she drank herself. She was quiet for a moment. "Tea," she said, "when you have all gone."</p>`,
  },
  {
    author: 'noor',
    title: 'What the index knows',
    daysAgo: 88.2,
    scene: 'tiles',
    type: 'jpeg',
    likedBy: ['pia', 'tobias', 'wiebke'],
    content: `<p>For money I make indexes. It is honest work. You read a book that somebody has loved for ten years, and you ask of every page: what would a stranger be looking for here, in a hurry?</p>
<p>Authors send lists. The lists are always wrong, in the same way: they contain what the book is about. What people look up is something else.</p>
<pre><code>bees, 14, 88
    stealing from, 15
bread, see also hunger
daughters, passim
    unexpected visits of, 201
hunger, 3–9, 77, 160, 212
silence, see table, laying the</code></pre>
<p>One author telephoned. He had been through my index, he said, from A to Z, and it was the saddest thing he had ever read, and was it possible that he had written a book about his mother?</p>
<p>I said that it was the index's opinion. He asked me to leave it in.</p>`,
  },
  {
    author: 'noor',
    title: 'Two silences',
    daysAgo: 133.7,
    scene: 'arches',
    type: 'jpeg',
    likedBy: ['amara', 'wiebke'],
    content: `<p>There is the silence in which nobody is speaking, and the silence in which somebody is not.</p>
<p>Interpreters live in the second kind. You sit in a glass box. A man on the platform draws breath, and holds it. In one ear there is nothing; in forty other ears, through you, there is also nothing, and it has to be the same nothing. Too early and you have put words into his mouth. Too late and you have lost the verb.</p>
<p>Once, in Geneva, a delegate stopped in mid-sentence and looked at his papers for a full eleven seconds. I kept the line open. I did not so much as swallow. Afterwards a colleague listening in the third row told me that my pause had been excellent. "Very faithful," she said. "I nearly wept."</p>`,
  },
]
