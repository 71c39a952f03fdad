"""Words that the texts of the guard are made of: our own lists, of common words alone. They know nothing of the library's tables."""

ENGLISH = """the of and to a in is that it for was on are as with be this by not from or have an they which you were all we can
there been if more when will would who so no out up into than them only some time could these two may then do first any my now such like
our over even most made after also where many before must through back years much your way well should because each just those people how
too little state good very make world still own see men work long get here between both life being under never day same another know while
last might us great old year off come since against go came right used take three release patch version file server please thanks list
package build branch review change option default value error warning test option user system number name following described documentation
update install package manager support available library function returns""".split()

CODE = """main init config parser utils core handler stream buffer index model view client server request response session cache node
list map string value key item error result option default import export module package test data read write open close path user name
type size length count next prev start stop run load save get set add remove update create delete find match count print format self this
args kwargs app db http json xml log util event callback thread lock queue worker task job token user_id max_len file_name is_valid
toString getName setValue onClick println appendChild innerHTML readFile parseInt""".split()

FILES = """README Makefile config main index setup utils changelog install notes report data test_main package style script backup
settings example output readme license libfoo module lib session""".split()
ENDINGS = "py c h txt html rs js conf sh xml json gz po css pm md cfg log tar.gz java yml so.1 rb go ts el in am patch png jpg pdf".split()
SHORT = "e.g. i.e. etc. cf. vs. No. p. approx. resp. a.m. p.m. U.S. v. Dr. et al. fig.".split()

NAMES = """acme globex initech example umbrella hooli vandelay northwind contoso fabrikam adventure wingtip tailspin litware proseware
meadow river forest harbour summit lantern copper falcon maple willow granite ember orchid beacon cedar""".split()
FRONTS = "www docs lists git bugs ftp mail wiki blog static api cdn shop news dev forum".split()
DOMAINS = "com com com org org net io de co.uk fr info edu gov dev app ru jp cn".split()
SEGMENTS = """docs wiki download releases issues pull blob master tree archive users en latest stable index view article posts tags 2019
2021 2023 01 12 images static css js img search topic thread message help faq about guide manual api reference v1 v2""".split()
KEYS = "id q page lang ref utm_source token user sort view t v w format".split()
PEOPLE = "anna ben carla david erika frank grace henrik ivana john kenji lucia maria nils olga peter quentin rosa stefan tanja".split()

FRENCH = """le la les de des un une et à être avoir pour dans que qui sur avec pas plus par où déjà très même après français réunion
été serveur liste pièce jointe prêt année première dernière système réseau façon leçon garçon élève forêt tête hôtel côté dû sûr voilà
bientôt également sécurité qualité propriété génération développement problème modèle réponse adresse courrier aujourd'hui c'est l'année
n'était d'accord cœur œuvre""".split()

RUSSIAN = """и в не на я быть он с что а по это она этот к но они мы весь который из у который то за свой ты сказать год мочь человек
о один такой только себя для какой другой ещё время рука дело жизнь день первый второй новый большой сервер список файл система
пользователь программа версия ошибка установка документация настройка сообщение параметр значение строка каталог пакет библиотека
выпуск исправление поддержка страница адрес почта сайт ссылка смотрите подробнее пожалуйста также например""".split()

CHINESE = """的 一 是 在 不 了 有 和 人 这 中 大 为 上 个 国 我 以 要 他 时 来 用 们 生 到 作 地 于 出 就 分 对 成 会 可 主 发 年 动 同 工 也
能 下 过 子 说 产 种 面 而 方 后 多 定 行 学 法 所 民 得 经 我们 可以 系统 文件 服务器 用户 程序 版本 错误 安装 文档 设置 消息 参数 目录 软件包 支持 网站 地址 邮件
链接 参见 例如 请 更新 使用 如果 需要 默认 选项 命令 运行 数据 信息 问题 开发 网络""".split()

TAIWANESE = """的 一 是 在 不 了 有 和 人 這 中 大 為 上 個 國 我 以 要 他 時 來 用 們 生 到 作 地 於 出 就 分 對 成 會 可 主 發 年 動 同 工 也 我們 可以
系統 檔案 伺服器 使用者 程式 版本 錯誤 安裝 文件 設定 訊息 參數 目錄 套件 支援 網站 位址 郵件 連結 參見 例如 請 更新 如果 需要 預設 選項 命令 執行 資料 資訊
問題 開發 網路""".split()

JAPANESE = """の に は を た が で て と し れ さ ある いる も する から な こと として い や など なっ ない この ため その あっ よう また もの です ます でした ました
について による という システム ファイル サーバー ユーザー プログラム バージョン エラー インストール 文書 設定 メッセージ 引数 値 行 目録 パッケージ ライブラリ
対応 頁 住所 メール サイト リンク 参照 例えば 更新 使用 場合 必要 既定 選択 命令 実行 情報 問題 開発 日本 時間 人 年 月 日 新しい 詳しくは 次の 以下""".split()

KOREAN = """그 이 저 것 수 등 들 및 그리고 또는 하지만 있다 없다 하다 되다 이다 같은 위해 대한 에서 으로 시스템 파일 서버 사용자 프로그램 버전 오류
설치 문서 설정 메시지 값 목록 패키지 라이브러리 지원 페이지 주소 메일 사이트 링크 참조 예를 들어 업데이트 사용 경우 필요 기본 선택 명령 실행
자료 정보 문제 개발 한국 시간 사람 새로운 자세한 내용은 다음""".split()

ARABIC = """في من على أن إلى هذا التي كان عن مع ما لا هو بعد كل أو قد ذلك بين حيث لم هذه النظام الملف الخادم المستخدم البرنامج الإصدار خطأ
تثبيت الوثائق الإعدادات رسالة قيمة قائمة الحزمة المكتبة دعم الصفحة العنوان البريد الموقع الرابط انظر مثلا تحديث استخدام إذا يجب الافتراضي خيار
الأمر تشغيل البيانات المعلومات مشكلة تطوير الشبكة""".split()

GREEK = """και το η ο να του της με για που την από στο είναι θα δεν στην αυτό οι τα μια ένα σύστημα αρχείο διακομιστής χρήστης πρόγραμμα
έκδοση σφάλμα εγκατάσταση τεκμηρίωση ρύθμιση μήνυμα τιμή λίστα πακέτο σελίδα διεύθυνση ταχυδρομείο σύνδεσμος δείτε παράδειγμα""".split()

HINDI = """और का के की में है यह को से पर ने हैं एक कि नहीं तो ही या था हो कर प्रणाली फ़ाइल सर्वर उपयोगकर्ता कार्यक्रम संस्करण त्रुटि स्थापना दस्तावेज़ संदेश
मान सूची पैकेज पृष्ठ पता मेल साइट कड़ी देखें उदाहरण अद्यतन उपयोग""".split()

THAI = """และ ที่ ใน ของ การ เป็น มี ได้ ไม่ ให้ ว่า จะ กับ นี้ จาก ระบบ ไฟล์ เซิร์ฟเวอร์ ผู้ใช้ โปรแกรม รุ่น ข้อผิดพลาด ติดตั้ง เอกสาร ตั้งค่า ข้อความ ค่า รายการ
แพ็กเกจ หน้า ที่อยู่ อีเมล เว็บไซต์ ลิงก์ ดู ตัวอย่าง ปรับปรุง ใช้""".split()

# Words, what stands between two of them, what ends a sentence, top-level domains of the script.
SCRIPTS = {
    "ru": (RUSSIAN, " ", ". ", ["рф", "ru", "com"]),
    "fr": (FRENCH, " ", ". ", ["fr", "com", "org"]),
    "zh": (CHINESE, "", "。", ["中国", "cn", "com"]),
    "tw": (TAIWANESE, "", "。", ["台灣", "tw", "com"]),
    "ja": (JAPANESE, "", "。", ["jp", "jp", "com"]),
    "ko": (KOREAN, " ", ". ", ["한국", "kr", "com"]),
    "ar": (ARABIC, " ", ". ", ["السعودية", "com", "org"]),
    "el": (GREEK, " ", ". ", ["ελ", "gr", "com"]),
    "hi": (HINDI, " ", "। ", ["भारत", "in", "com"]),
    "th": (THAI, "", " ", ["ไทย", "th", "com"]),
}
